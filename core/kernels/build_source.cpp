#include "core/kernels/build_source.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/kernels/inserted_text.h"
#include "core/run/user/text_defines.h"

namespace ks {
namespace {

std::optional<std::string> text_of(const Run& run, const BuildLog& build,
                                   const std::map<std::string, std::string>& files) {
    const Request& request = run.request;
    const bool shipped = build.source_file == run.variant.source_file;
    const auto known = files.find(build.source_file);
    if (!request.kernel_source.empty() && (build.source_file == request.kernel_file || known == files.end()))
        return with_given_defines(request.kernel_source,
                                  values_in_text(run.variant.defines, request.defines));
    // The source of a user's variant is in the request.
    if (shipped && !run.variant.from_user() && !run.variant.source.empty()) return run.variant.source;
    return known == files.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace

std::optional<ResolvedSource> source_of_build(const Run& run, const BuildLog& build,
                                              const std::map<std::string, std::string>& files) {
    const std::optional<std::string> text = text_of(run, build, files);
    if (!text) return std::nullopt;
    ResolvedSource source =
        resolve_source(build.source_file, text_behind(build.inserted, build.source_file, *text), files);
    if (hash_text(hash_of(source.text())) != build.text_hash) return std::nullopt;
    return source;
}

std::string inserted_before(const std::string& file, const Run& run) {
    const auto of_file = std::ranges::find(run.builds, file, &BuildLog::source_file);
    return of_file == run.builds.end() ? std::string() : of_file->inserted;
}

}  // namespace ks
