#include "core/run/user/compiled_defines.h"

#include <algorithm>
#include <sstream>

namespace ks {

std::map<std::string, std::string> compiled_defines(const Run& run) {
    const Request& request = run.request;
    const std::string file = request.kernel_source.empty() ? run.variant.source_file
                             : request.kernel_file.empty() ? given_source
                                                           : request.kernel_file;
    std::map<std::string, std::string> found;
    for (const BuildLog& build : run.builds) {
        // Other programs of a run may have defines of the same names.
        if (build.source_file != file) continue;
        std::istringstream words(build.options);
        for (std::string word; words >> word;) {
            const std::size_t equals = word.find('=');
            if (!word.starts_with("-D") || equals == std::string::npos) continue;
            const std::string name = word.substr(2, equals - 2);
            if (std::ranges::find(run.variant.defines, name, &DefineSpec::name) != run.variant.defines.end())
                found.emplace(name, word.substr(equals + 1));
        }
    }
    return found;
}

}  // namespace ks
