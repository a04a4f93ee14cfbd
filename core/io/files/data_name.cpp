#include "core/io/files/data_name.h"

#include <algorithm>
#include <optional>
#include <system_error>

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr const char* separator = "::";

bool is_folder(const std::string& name) {
    std::error_code ignored;
    return fs::is_directory(name, ignored);
}
bool is_there(const std::string& name) {
    std::error_code ignored;
    return fs::exists(name, ignored);
}

/// True if the "::" at `at` belongs to the name of a folder.
bool in_a_folder(const std::string& name, std::size_t at) {
    const std::size_t end = name.find('/', at);
    return end != std::string::npos && is_folder(name.substr(0, end));
}

/// Where the file's name ends; nothing if no object follows.
std::optional<std::size_t> end_of_file(const std::string& name) {
    std::optional<std::size_t> before_slash, last;
    // One by one: with three colons, the file may end before the first or before the second.
    for (std::size_t at = name.rfind(separator); at != std::string::npos && at > 0;
         at = name.rfind(separator, at - 1)) {
        if (in_a_folder(name, at)) continue;
        const std::string file = name.substr(0, at);
        if (is_there(file) && !is_folder(file)) return at;
        if (!before_slash && name.compare(at + 2, 1, "/") == 0) before_slash = at;
        if (!last) last = at;
    }
    return before_slash ? before_slash : last;
}

}  // namespace

DataName DataName::parse(const std::string& name) {
    if (name.find(separator) == std::string::npos || is_there(name)) return {name, {}};
    const std::optional<std::size_t> end = end_of_file(name);
    if (!end) return {name, {}};
    std::string object = name.substr(*end + 2);
    if (!object.empty() && !object.starts_with("/")) object.insert(object.begin(), '/');
    while (object.size() > 1 && object.ends_with("/")) object.pop_back();
    return {name.substr(0, *end), object};
}

std::string DataName::to_string() const {
    return object.empty() ? file.string() : file.string() + separator + object;
}

std::string suffix_of(const fs::path& file) {
    std::string suffix = file.extension().string();
    std::ranges::transform(suffix, suffix.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return suffix;
}

}  // namespace ks::io
