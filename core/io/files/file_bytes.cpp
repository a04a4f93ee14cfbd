#include "core/io/files/file_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/io/files/descriptor.h"

namespace ks::io {
namespace fs = std::filesystem;
std::optional<std::size_t> read_at(int descriptor, std::uint64_t at, std::span<std::byte> into) {
    std::size_t done = 0;
    while (done < into.size()) {
        const std::size_t wanted = std::min<std::size_t>(into.size() - done, std::size_t{1} << 30);
        const ssize_t got = ::pread(descriptor, into.data() + done, wanted, static_cast<off_t>(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::nullopt;
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void read_bytes_at(const fs::path& path, std::uint64_t at, std::span<std::byte> into,
                   const std::string& shown) {
    const Descriptor file(path);
    if (file.number() < 0)
        throw Error(ErrorKind::input,
                    std::string("the file can no longer be opened: ") + std::strerror(errno), shown);
    const std::optional<std::size_t> got = read_at(file.number(), at, into);
    if (got == into.size()) return;
    throw Error(ErrorKind::input,
                got ? std::string("the file is truncated: it ends within the frames")
                    : std::string("reading failed: ") + std::strerror(errno),
                shown);
}

std::string peek_bytes(const fs::path& path, std::uint64_t at, std::size_t count) {
    const Descriptor file(path);
    if (!file.regular()) return {};
    std::string bytes(count, '\0');
    bytes.resize(read_at(file.number(), at, std::as_writable_bytes(std::span(bytes))).value_or(0));
    return bytes;
}

}  // namespace ks::io
