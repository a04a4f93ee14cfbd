#include "core/io/files/small_text.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/io/files/file_text.h"

namespace ks::io {

std::string small_text(const std::filesystem::path& file, const std::string& expected, std::size_t largest) {
    const TextFile text(file, expected);
    if (text.size() > largest)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} of at most {} bytes, found {}", expected, largest, text.size()),
                    file.string());
    return std::string(text.text().view());
}

}  // namespace ks::io
