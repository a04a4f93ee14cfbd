#include "core/run/problem_key.h"

#include <sys/stat.h>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/base/json_text.h"
#include "core/base/hash.h"
#include "core/io/files/data_name.h"

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
    std::error_code no_size, no_time;
    const auto size = std::filesystem::file_size(file, no_size);
    const auto time = std::filesystem::last_write_time(file, no_time);
    if (no_size || no_time) return {};
    struct stat info = {};
    if (::stat(file.c_str(), &info) != 0) return {};
    return fmt::format("{}@{} of {}:{}", size, time.time_since_epoch().count(), info.st_dev, info.st_ino);
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
