#include "gpu/runtime/output/captured_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include <fmt/format.h>

#include "core/base/error.h"

namespace ks::gpu {
namespace {

std::mutex& of_stream(StandardStream stream) {
    static std::mutex output, errors;
    return stream == StandardStream::output ? output : errors;
}

int descriptor_of(StandardStream stream) {
    return stream == StandardStream::output ? STDOUT_FILENO : STDERR_FILENO;
}

void flush_output() {
    std::cout.flush();
    std::fflush(stdout);
    std::fflush(stderr);
}

}  // namespace

CapturedOutput::CapturedOutput(StandardStream stream)
    : descriptor_(descriptor_of(stream)), alone_(of_stream(stream)) {
    flush_output();
    file_ = std::tmpfile();
    saved_ = file_ == nullptr ? -1 : fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    if (saved_ >= 0 && dup2(fileno(file_), descriptor_) >= 0) return;
    const std::string why = std::strerror(errno);
    if (saved_ >= 0) close(saved_);
    if (file_ != nullptr) std::fclose(file_);
    throw Error(
        ErrorKind::run,
        fmt::format("standard {} cannot be read: {}", descriptor_ == STDOUT_FILENO ? "output" : "error", why),
        "output of the kernel");
}

CapturedOutput::~CapturedOutput() {
    restore();
    std::fclose(file_);
}

void CapturedOutput::restore() {
    if (saved_ < 0) return;
    flush_output();
    dup2(saved_, descriptor_);
    close(saved_);
    saved_ = -1;
}

std::string CapturedOutput::finish() {
    restore();
    std::string text;
    std::rewind(file_);
    char piece[4096];
    for (std::size_t read = 0; (read = std::fread(piece, 1, sizeof piece, file_)) > 0;)
        text.append(piece, read);
    return text;
}

}  // namespace ks::gpu
