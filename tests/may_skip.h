#pragma once

#include <fnmatch.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace ks::tests {

/// Whether tests/may_skip.txt lets `test` be skipped for the reason that it gives. Only ctest asks, which
/// sets KERNELSCOPE_MAY_SKIP to that file: a program that is run by hand skips what it likes. What is not
/// allowed is printed.
inline bool may_skip(const std::string& test, const std::string& reason) {
    const char* list = std::getenv("KERNELSCOPE_MAY_SKIP");
    if (list == nullptr) return true;
    std::ifstream in(list);
    for (std::string line; std::getline(in, line);) {
        const std::size_t space = line.find(' ');
        if (line.starts_with('#') || space == std::string::npos) continue;
        if (::fnmatch(line.substr(0, space).c_str(), test.c_str(), 0) == 0 &&
            reason.find(line.substr(space + 1)) != std::string::npos)
            return true;
    }
    std::printf("FAILED: %s was skipped (%s), which %s does not allow\n", test.c_str(), reason.c_str(), list);
    return false;
}

}  // namespace ks::tests
