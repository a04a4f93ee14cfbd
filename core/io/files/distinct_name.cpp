#include "core/io/files/distinct_name.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace ks::io {
namespace {

namespace fs = std::filesystem;
using Parts = std::vector<fs::path>;

Parts parts_of(const std::string& file) {
    const fs::path clean = fs::path(file).lexically_normal();
    return Parts(clean.begin(), clean.end());
}

/// How many of the last parts are the same.
std::ptrdiff_t common_end(const Parts& one, const Parts& other) {
    return std::mismatch(one.rbegin(), one.rend(), other.rbegin(), other.rend()).first - one.rbegin();
}

}  // namespace

std::string distinct_name(const std::string& file, const std::vector<std::string>& others) {
    const std::size_t slash = file.rfind('/');
    const std::string leaf = slash == std::string::npos ? file : file.substr(slash + 1);
    const Parts own = parts_of(file);
    std::ptrdiff_t shown = 1;
    for (const std::string& one : others) {
        if (one == file || !one.ends_with(leaf)) continue;
        const Parts other = parts_of(one);
        if (other != own) shown = std::max(shown, common_end(own, other) + 1);
    }
    if (shown == 1) return leaf;
    if (shown >= std::ssize(own)) return file;
    fs::path name;
    for (auto part = own.end() - shown; part != own.end(); ++part) name /= *part;
    return name.string();
}

}  // namespace ks::io
