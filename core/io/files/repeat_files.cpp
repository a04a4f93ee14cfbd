#include "core/io/files/repeat_files.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/data_name.h"

namespace ks::io {
namespace {

namespace fs = std::filesystem;

bool is_numeral(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Runs of digits are compared by value: "run_9" is before "run_10".
bool comes_before(const std::string& a, const std::string& b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (!is_numeral(a[i]) || !is_numeral(b[j])) {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i, ++j;
            continue;
        }
        const auto number = [](const std::string& text, std::size_t& at) {
            while (at + 1 < text.size() && text[at] == '0' && is_numeral(text[at + 1])) ++at;
            const std::size_t start = at;
            while (at < text.size() && is_numeral(text[at])) ++at;
            return std::pair(at - start, text.substr(start, at - start));
        };
        const auto first = number(a, i), second = number(b, j);
        if (first != second) return first < second;
    }
    return a.size() - i < b.size() - j;
}

/// @param pattern of the names; empty: all
std::vector<std::string> files_in(const fs::path& folder, const std::string& pattern) {
    std::vector<std::string> names;
    std::error_code failure;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, failure), end; !failure && at != end;
         at.increment(failure)) {
        const std::string name = at->path().filename().string();
        std::error_code ignored;
        if (name.starts_with('.') || !at->is_regular_file(ignored)) continue;
        if (pattern.empty() || fnmatch(pattern.c_str(), name.c_str(), 0) == 0) names.push_back(name);
    }
    if (failure)
        throw Error(ErrorKind::input, "the folder cannot be read: " + failure.message(), folder.string());
    std::ranges::sort(names, comes_before);
    return names;
}

}  // namespace

std::vector<std::string> repeats_named(const std::vector<std::string>& given) {
    std::vector<std::string> all;
    for (const std::string& one : given) {
        const DataName name = DataName::parse(one);
        std::error_code ignored;
        const std::string leaf = name.file.filename().string();
        const bool is_folder = fs::is_directory(name.file, ignored);
        if (!is_folder && (fs::exists(name.file, ignored) || leaf.find_first_of("*?") == std::string::npos)) {
            all.push_back(one);
            continue;
        }
        const fs::path folder = is_folder ? name.file : name.file.parent_path();
        const std::vector<std::string> files = files_in(folder, is_folder ? std::string() : leaf);
        if (files.empty())
            throw Error(ErrorKind::input,
                        is_folder ? "the folder has no files" : "no file has a name like this", one);
        for (const std::string& file : files) all.push_back(DataName{folder / file, name.object}.to_string());
    }
    std::vector<std::string> sorted = all;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        throw Error(ErrorKind::input, "a repeat is given twice", *twice);
    if (all.size() < 2)
        throw Error(ErrorKind::input, fmt::format("expected at least two repeats, found {}", all.size()),
                    "--repeats", "give several files, a folder, or a name with * or ?");
    return all;
}

}  // namespace ks::io
