#include "core/io/files/temporary_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "core/base/error.h"

namespace ks::io {

TemporaryFolder::TemporaryFolder(const std::string& name) {
    std::string pattern = (std::filesystem::temp_directory_path() / fmt::format("{}-XXXXXX", name)).string();
    if (::mkdtemp(pattern.data()) == nullptr)
        throw Error(ErrorKind::run, fmt::format("the folder cannot be created: {}", std::strerror(errno)),
                    pattern, "set TMPDIR to another folder");
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace ks::io
