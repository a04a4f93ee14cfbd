#include "core/record/names_read.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "core/run/repeats/repeats.h"
#include "core/run/user/user_includes.h"

namespace ks {

io::NamesRead names_read(const Request& request, const std::string& of) {
    io::NamesRead names;
    for (const auto& [role, input] : request.inputs)
        if (!input.name.empty()) names[role + of] = input.name;
    if (request.kernel_file.empty()) return names;
    for (const std::filesystem::path& file : files_of_kernel_source(request.kernel_file, request.defines))
        names[file == request.kernel_file ? "kernel source" + of
                                          : fmt::format("kernel source{}: {}", of, file.string())] =
            file.string();
    return names;
}

io::NamesRead names_read(const Run& run, const std::string& of) {
    io::NamesRead names = names_read(run.request, of);
    const std::vector<std::string> repeats = names_of_repeats(run);
    for (std::size_t i = 0; i < repeats.size(); ++i)
        names[fmt::format("repeat {}{}", i + 1, of)] = repeats[i];
    for (const FileRecord& one : run.files) names[fmt::format("the input {}{}", one.file, of)] = one.file;
    return names;
}

}  // namespace ks
