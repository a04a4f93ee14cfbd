#include "core/judge/abort_text.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

/// How glibc's reasons for abort() begin.
constexpr std::array<std::string_view, 15> abort_beginnings{"munmap_chunk():",
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
                                                            "*** buffer overflow detected"};

bool is_of_glibc(std::string_view line) {
    return std::ranges::any_of(abort_beginnings,
                               [line](std::string_view one) { return line.starts_with(one); });
}

}  // namespace

WrittenErrors divide_errors(std::string_view written) {
    WrittenErrors found;
    while (!written.empty()) {
        const std::size_t end = std::min(written.find('\n'), written.size() - 1);
        const std::string_view line = written.substr(0, end + 1);
        written.remove_prefix(end + 1);
        if (!is_of_glibc(line))
            found.others += line;
        else if (found.abort.empty())
            found.abort = line.substr(0, line.find_last_not_of(" \r\n") + 1);
    }
    return found;
}

}  // namespace ks
