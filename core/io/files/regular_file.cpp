#include "core/io/files/regular_file.h"

#include <unistd.h>

#include <cstddef>
#include <string_view>
#include <system_error>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

// By this character Qt replaces bytes of a name that are not UTF-8.
constexpr const char* replaced = "\xEF\xBF\xBD";

[[noreturn]] void refuse_name(const fs::path& file) {
    throw Error(
        ErrorKind::input,
        std::string("expected a name in UTF-8, found bytes that are not, which are shown as ") + replaced,
        file.string(), "rename the file, or open it with kernelscope-cli, which takes any name");
}

}  // namespace

std::string special_kind(const fs::path& file) {
    std::error_code ignored;
    switch (fs::status(file, ignored).type()) {
        case fs::file_type::fifo:
            return "a pipe";
        case fs::file_type::socket:
            return "a socket";
        case fs::file_type::block:
        case fs::file_type::character:
            return "a device";
        default:
            return {};
    }
}

void require_utf8_name(const fs::path& file) {
    const std::string& name = file.native();
    for (std::string_view rest = name; !rest.empty();) {
        const std::size_t length = utf8_length(rest);
        if (length == 0) refuse_name(file);
        rest.remove_prefix(length);
    }
}

void require_regular(const fs::path& file, const std::string& expected) {
    const auto refuse = [&file](const std::string& message, const std::string& hint = {}) {
        throw Error(ErrorKind::input, message, file.string(), hint);
    };
    std::error_code failure;
    const fs::file_status status = fs::status(file, failure);
    if (!fs::exists(status)) {
        if (file.native().find(replaced) != std::string::npos) refuse_name(file);
        if (failure == std::errc::too_many_symbolic_link_levels)
            refuse("the link leads back to itself, so there is no file");
        refuse("no such file");
    }
    if (fs::is_directory(status)) refuse("expected " + expected + ", found a directory");
    if (const std::string kind = special_kind(file); !kind.empty())
        refuse("the file is " + kind + ", not a regular file",
               "copy the data to a regular file and open that file");
    if (::access(file.c_str(), R_OK) != 0)
        refuse("there is no permission to read the file", "check its permissions");
}

}  // namespace ks::io
