#include "core/run/problem_key.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/io/files/data_name.h"
#include "core/io/files/file_stamp.h"
#include "core/io/series/series.h"

namespace ks {
namespace {

std::string array_state(const Array& array) {
    std::string state = name_of(array.type());
    for (const std::size_t length : array.shape()) state.append(1, 'x').append(std::to_string(length));
    return state + "#" + hash_text(hash_of(array.bytes()));
}

}  // namespace

std::string file_state(const std::string& name) {
    const std::filesystem::path file = io::DataName::parse(name).file;
    if (!io::is_series(file)) return io::file_state(file);
    std::string states;
    try {
        for (const std::filesystem::path& one : io::files_named(file))
            states += fmt::format("{}|{}\n", one.filename().string(), io::file_state(one));
    } catch (const Error&) {
        return {};  // opening the series will report why
    }
    return hash_text(hash_of(states));
}

std::string problem_key(const Request& request) {
    nlohmann::json key = nlohmann::json::object();
    key["analysis"] = request.analysis;
    if (request.memory_limit) key["memory_limit"] = *request.memory_limit;
    key["parameters"] = to_json(request.parameters);
    for (const auto& [role, input] : request.inputs)
        key["inputs"][role] = {input.name, file_state(input.name),
                               input.values ? array_state(*input.values) : std::string()};
    return dump_json(key);
}

}  // namespace ks
