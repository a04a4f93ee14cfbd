#include "core/io/hdf5/saved/run_in_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace ks::io {
namespace {

const std::string run_group = "/entry/kernelscope";

/// " of xpcs"; empty if the record does not say it.
std::string of_analysis(const h5::Handle& file) {
    const std::string path = run_group + "/variant";
    if (!h5::exists(file, path)) return {};
    const h5::Handle dataset = h5::open_object(file, {}, path);
    const auto texts = h5::is_dataset(dataset) ? h5::strings(dataset) : std::nullopt;
    if (!texts || texts->size() != 1) return {};
    const nlohmann::json variant = try_parse_json(texts->front());
    const auto found = variant.find("analysis");
    return found != variant.end() && found->is_string() ? " of " + found->get<std::string>() : std::string();
}

}  // namespace

bool has_run_record(const h5::Handle& file) {
    return h5::exists(file, run_group + "/result") || h5::exists(file, run_group + "/run");
}

void require_no_run(const h5::Handle& file, const std::string& file_name) {
    if (!has_run_record(file)) return;
    throw Error(ErrorKind::input,
                fmt::format("{} is a saved run{} and contains no frames", file_name, of_analysis(file)));
}

}  // namespace ks::io
