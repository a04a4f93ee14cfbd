#include "core/base/formats.h"

#include <fmt/format.h>

#include <charconv>

#include "core/base/error.h"

namespace ks {

std::int64_t require_known(const Format& format, const std::optional<std::string>& found,
                           const std::string& where) {
    if (!found) return 1;
    std::int64_t version = 0;
    const char* end = found->data() + found->size();
    const auto [at, failure] = std::from_chars(found->data(), end, version);
    if (failure != std::errc() || at != end || version < 1)
        throw Error(ErrorKind::input,
                    fmt::format("the {} of a {} must be a whole number of 1 or more, found {}", format_key,
                                format.name, *found),
                    where);
    if (version > format.version)
        throw Error(
            ErrorKind::input,
            fmt::format("this {} has format version {}, but this program only reads versions up to {}",
                        format.name, version, format.version),
            where, "open it with the version of Kernelscope that wrote it, or a newer one");
    return version;
}

}  // namespace ks
