#include "core/run/user/shown_variant.h"

#include <algorithm>
#include <sstream>

#include "core/base/hash.h"

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

std::string text_mark(std::string_view text) {
    return hash_text(hash_of(text)).substr(0, 6);
}

std::string shown_variant(const Run& run) {
    // A copy of the shipped text does not count as another one.
    const bool is_shipped = !run.variant.from_user() && run.request.kernel_source == run.variant.source;
    return is_shipped ? run.variant.id : shown_variant(run.variant.id, run.request);
}

}  // namespace ks
