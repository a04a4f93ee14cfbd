#include "core/io/files/file_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/large_pages.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/io/files/regular_file.h"

namespace ks::io {

std::string small_text(const std::filesystem::path& file, const std::string& expected, std::size_t largest) {
    const TextFile text(file, expected);
    if (text.size() > largest)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} of at most {} bytes, found {}", expected, largest, text.size()),
                    file.string());
    return std::string(text.text().view());
}

namespace {

Error unreadable(const std::filesystem::path& file) {
    return {ErrorKind::input, "the file cannot be read", file.string()};
}

}  // namespace

TextFile::TextFile(const std::filesystem::path& file, const std::string& expected) : name_(file) {
    require_regular(file, expected);
    file_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat state {};
    if (file_ < 0 || ::fstat(file_, &state) != 0) {
        if (file_ >= 0) ::close(file_);
        throw unreadable(file);
    }
    size_ = static_cast<std::size_t>(state.st_size);
}

TextFile::~TextFile() {
    ::close(file_);
}

std::size_t TextFile::read(char* to, std::size_t from, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = ::pread(file_, to + done, size - done, static_cast<off_t>(from + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw unreadable(name_);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

FileText TextFile::text(std::size_t from, std::size_t size) const {
    const std::shared_ptr<char[]> memory(new char[size]);
    return {memory, read(memory.get(), from, size)};
}

FileText TextFile::text() const {
    require_memory(size_, "its text", name_.string());
    const std::shared_ptr<char[]> memory(new char[size_]);  // left uninitialised: read() fills it
    prefer_large_pages(reinterpret_cast<std::byte*>(memory.get()), size_);
    constexpr std::size_t piece = std::size_t{4} << 20;
    std::vector<std::size_t> ends((size_ + piece - 1) / piece);
    parallel_for(ends.size(), compute_threads(), [&](std::size_t i) {
        const std::size_t from = i * piece;
        ends[i] = from + read(memory.get() + from, from, std::min(piece, size_ - from));
    });
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (ends[i] < std::min(size_, (i + 1) * piece)) return {memory, ends[i]};  // the file shrank
    return {memory, size_};
}

}  // namespace ks::io
