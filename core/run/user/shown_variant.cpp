#include "core/run/user/shown_variant.h"

#include <sstream>

#include "core/base/hash.h"
#include "core/run/user/define_words.h"

namespace ks {

std::map<std::string, std::string> compiled_defines(const Run& run) {
    const Request& request = run.request;
    const std::string file = request.kernel_source.empty() ? run.variant.source_file
                             : request.kernel_file.empty() ? given_source
                                                           : request.kernel_file;
    std::map<std::string, std::string> found;
    for (const DefineSpec& define : run.variant.defines) {
        const std::string& of = define.program_file.empty() ? file : define.program_file;
        const std::string option = "-D" + name_in_program(define) + "=";
        // Other programs of a run may have defines of the same names.
        for (const BuildLog& build : run.builds) {
            if (build.source_file != of) continue;
            std::istringstream words(build.options);
            for (std::string word; words >> word;)
                if (word.starts_with(option))
                    found.emplace(define.name, value_in_words(define, word.substr(option.size())));
        }
    }
    return found;
}

std::string text_mark(std::string_view text) {
    return hash_text(hash_of(text)).substr(0, 6);
}

bool has_other_text(const Run& run) {
    // A copy of the shipped text does not count as another one.
    return !run.request.kernel_source.empty() &&
           (run.variant.from_user() || run.request.kernel_source != run.variant.source);
}

std::string shown_variant(const Run& run) {
    return has_other_text(run) ? shown_variant(run.variant.id, run.request) : run.variant.id;
}

std::string given_defines(const Run& run) {
    std::string all;
    for (const auto& [name, value] : run.request.defines)
        all.append(all.empty() ? "" : ", ").append(name).append(" = ").append(value);
    return all;
}

std::string shown_kernel(const Run& run) {
    const std::string given = given_defines(run);
    return given.empty() ? shown_variant(run) : shown_variant(run) + ", " + given;
}

}  // namespace ks
