#include "core/judge/abort_text.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

/// How the reasons of glibc and of libstdc++ for abort() begin.
constexpr std::array<std::string_view, 18> abort_beginnings{"munmap_chunk():",
                                                            "free():",
                                                            "malloc():",
                                                            "realloc():",
                                                            "calloc():",
                                                            "tcache",
                                                            "malloc_consolidate():",
                                                            "double free or corruption",
                                                            "corrupted size",
                                                            "corrupted double",
                                                            "invalid fastbin",
                                                            "break adjusted to free",
                                                            "Fatal glibc error",
                                                            "*** stack smashing detected",
                                                            "*** buffer overflow detected",
                                                            "terminate called after throwing an instance of",
                                                            "terminate called without an active exception",
                                                            "terminate called recursively"};
/// The line of libstdc++ after the type of an exception.
constexpr std::string_view what_beginning = "  what():";

bool is_reason(std::string_view line) {
    return std::ranges::any_of(abort_beginnings,
                               [line](std::string_view one) { return line.starts_with(one); });
}

}  // namespace

WrittenErrors divide_errors(std::string_view written) {
    WrittenErrors found;
    bool was_reason = false;
    while (!written.empty()) {
        const std::size_t end = std::min(written.find('\n'), written.size() - 1);
        const std::string_view line = written.substr(0, end + 1);
        written.remove_prefix(end + 1);
        const bool is_what = was_reason && line.starts_with(what_beginning);
        was_reason = is_reason(line);
        if (!was_reason && !is_what)
            found.others += line;
        else if (was_reason && found.abort.empty())
            found.abort = line.substr(0, line.find_last_not_of(" \r\n") + 1);
    }
    return found;
}

}  // namespace ks
