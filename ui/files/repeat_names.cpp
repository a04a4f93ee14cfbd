#include "ui/files/repeat_names.h"

#include <filesystem>

#include "core/base/error.h"
#include "core/io/files/data_name.h"
#include "core/io/files/followed_files.h"
#include "core/io/files/regular_file.h"
#include "core/io/files/repeat_files.h"
#include "core/run/user/trusted_code.h"

namespace ks::ui {

std::vector<std::string> repeatsNamed(const std::vector<std::string>& given) {
    std::vector<std::string> names = io::repeats_named(given);
    for (const std::string& one : names) io::require_utf8_name(one);
    return names;
}

std::vector<std::string> keptNames(const std::vector<std::string>& names, const std::string& openFile) {
    const std::filesystem::path folder = std::filesystem::path(openFile).parent_path();
    std::vector<std::string> kept;
    for (const std::string& name : names) {
        io::DataName data = io::DataName::parse(name);
        if (data.file.parent_path() == folder) data.file = data.file.filename();
        kept.push_back(data.to_string());
    }
    return kept;
}

std::vector<std::string> namesFrom(const std::vector<std::string>& kept, const std::string& openFile) {
    std::vector<std::string> names;
    AnalysisInfo info;
    info.inputs = {{.role = "frames", .label = {}, .option = {}, .forms = {}, .required = true, .help = {}}};
    for (const std::string& name : kept) {
        io::DataName data = io::DataName::parse(name);
        if (data.file.is_relative()) data.file = std::filesystem::path(openFile).parent_path() / data.file;
        Request asked;
        asked.from_file = openFile;
        asked.inputs["frames"] = {data.to_string()};
        try {
            require_known_inputs(info, asked);
        } catch (const Error&) {
            io::take_not_followed();  // the set is not brought back, so nothing is asked
            return {};
        }
        names.push_back(data.to_string());
    }
    return names;
}

}  // namespace ks::ui
