#include "gpu/basics/printf/captured_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "core/base/error.h"

namespace ks::gpu::basics {
namespace {

std::mutex& of_standard_output() {
    static std::mutex mutex;
    return mutex;
}

void flush_output() {
    std::cout.flush();
    std::fflush(stdout);
}

}  // namespace

CapturedOutput::CapturedOutput() : alone_(of_standard_output()) {
    flush_output();
    file_ = std::tmpfile();
    saved_ = file_ == nullptr ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (saved_ >= 0 && dup2(fileno(file_), STDOUT_FILENO) >= 0) return;
    const std::string why = std::strerror(errno);
    if (saved_ >= 0) close(saved_);
    if (file_ != nullptr) std::fclose(file_);
    throw Error(ErrorKind::run, "the standard output cannot be read: " + why, "output of the kernel");
}

CapturedOutput::~CapturedOutput() {
    restore();
    std::fclose(file_);
}

void CapturedOutput::restore() {
    if (saved_ < 0) return;
    flush_output();
    dup2(saved_, STDOUT_FILENO);
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

}  // namespace ks::gpu::basics
