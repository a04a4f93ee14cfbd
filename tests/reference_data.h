#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace ks::tests {

/// A file of tests/data, whose README tells what each is. One that is not there is an error: no test does
/// without.
inline std::string reference_data(const std::string& name) {
    const std::string path = KERNELSCOPE_SOURCE_DIR "/tests/data/" + name;
    if (!std::filesystem::is_regular_file(path)) throw std::runtime_error("no reference data: " + path);
    return path;
}

}  // namespace ks::tests
