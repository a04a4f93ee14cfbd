#include "core/io/series/series.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/io/files/data_name.h"
#include "core/io/files/numbered_name.h"
#include "core/io/frame_format.h"
#include "core/io/series/name_pattern.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

Error series_error(const fs::path& name, const std::string& message, const std::string& hint = {}) {
    return {ErrorKind::input, message, name.string(), hint};
}

/// The name with '#' in place of its digits, whatever their number.
std::string form_of(const std::string& name) {
    std::string form;
    const std::vector<std::string> parts = name_parts(name);
    for (std::size_t i = 0; i < parts.size(); ++i) form += i % 2 == 0 ? parts[i] : "#";
    return form;
}

/// Which of name_parts() is the number: the only one in which names differ. Of a single name, the last number
/// before its suffix.
std::size_t place_of_number(const std::vector<std::string>& names, const fs::path& series) {
    const std::vector<std::string> first = name_parts(names.front());
    std::optional<std::size_t> place;
    for (const std::string& name : names) {
        const std::vector<std::string> parts = name_parts(name);
        for (std::size_t i = 0; i < std::max(parts.size(), first.size()); ++i) {
            if (i < parts.size() && i < first.size() && parts[i] == first[i]) continue;
            if (parts.size() == first.size() && i % 2 == 1 && (!place || place == i)) {
                place = i;
                continue;
            }
            throw series_error(series,
                               fmt::format("expected file names that differ in one number, found {} and {}",
                                           names.front(), name),
                               "name the files with a pattern such as img_####.tif");
        }
    }
    if (place) return *place;
    place = last_number(name_parts(fs::path(names.front()).stem().string()));
    if (!place) place = last_number(first);  // "frame.0001"
    if (!place)
        throw series_error(series,
                           fmt::format("expected a number in the file name {}, found none", names.front()));
    return *place;
}

std::uint64_t number_in(const std::string& digits, const std::string& name, const fs::path& series) {
    std::uint64_t number = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
        throw series_error(series, fmt::format("the number in the file name {} is too large", name));
    return number;
}

/// Names of files as text before, in and after the number; sorted by number.
struct NumberedNames {
    struct One {
        std::uint64_t number;
        std::string digits, name;
    };
    std::string prefix, suffix;
    std::vector<One> all;
    std::size_t least_digits = 0;

    std::string pattern() const {
        return all.size() == 1 ? all.front().name : prefix + std::string(least_digits, '#') + suffix;
    }
};

/// @param names of files, not empty
NumberedNames numbered(const std::vector<std::string>& names, const fs::path& series) {
    const std::size_t place = place_of_number(names, series);
    const NumberedName first = around_number(name_parts(names.front()), place);
    NumberedNames found{first.before, first.after, {}, first.digits.size()};
    for (const std::string& name : names) {
        const std::string digits = name_parts(name)[place];
        found.least_digits = std::min(found.least_digits, digits.size());
        found.all.push_back({number_in(digits, name, series), digits, name});
    }
    std::ranges::sort(found.all, [](const NumberedNames::One& a, const NumberedNames::One& b) {
        return std::tie(a.number, a.name) < std::tie(b.number, b.name);
    });
    const auto twice = std::ranges::adjacent_find(found.all, {}, &NumberedNames::One::number);
    if (twice != found.all.end())
        throw series_error(series,
                           fmt::format("expected each number once, found {} in {} and {}", twice->number,
                                       twice->name, std::next(twice)->name),
                           "give a pattern that only one of them matches");
    if (found.all.back().number - found.all.front().number >= largest_series)
        throw series_error(
            series, fmt::format("expected at most {} numbers in a series, found {} to {}", largest_series,
                                found.all.front().number, found.all.back().number));
    return found;
}

fs::path folder_to_read(const fs::path& folder) {
    return folder.empty() ? fs::path(".") : folder;
}

/// Names of what is not a folder in a folder, if `fits`; those of special files included.
template <class Fits>
std::vector<std::string> names_in(const fs::path& folder, const fs::path& series, const Fits& fits) {
    std::vector<std::string> names;
    std::error_code failure;
    fs::directory_iterator at(folder_to_read(folder), failure);
    for (; !failure && at != fs::directory_iterator(); at.increment(failure)) {
        std::string name = at->path().filename().string();
        if (!fits(name)) continue;
        if (std::error_code ignored; at->is_directory(ignored)) continue;
        if (names.size() == largest_series)
            throw series_error(
                series, fmt::format("expected at most {} files in a series, found more", largest_series));
        names.push_back(std::move(name));
    }
    if (failure) throw series_error(series, "the folder cannot be read: " + failure.message());
    return names;
}

/// The names of the only series in a folder.
std::vector<std::string> names_of_folder(const fs::path& folder) {
    std::vector<std::string> names = names_in(folder, folder, counts_in_folder);
    std::set<std::string> forms;
    for (const std::string& name : names) forms.insert(form_of(name));
    if (forms.size() > 1) {
        const std::string one = *forms.begin(), other = *std::next(forms.begin());
        throw series_error(
            folder,
            fmt::format("expected the files of one series in the folder, found {} and {}", one, other),
            "name one of them: " + (folder / one).string());
    }
    return names;
}

bool exists_literally(const fs::path& name) {
    std::error_code failure;
    return fs::exists(fs::symlink_status(name, failure));
}

bool is_folder_of_series(const fs::path& name) {
    std::error_code failure;
    if (!fs::is_directory(name, failure)) return false;
    fs::directory_iterator at(name, failure);
    for (; !failure && at != fs::directory_iterator(); at.increment(failure))
        if (counts_in_folder(at->path().filename().string())) return true;
    return false;
}

/// What a data name stands for, and where its files are.
struct Meaning {
    fs::path name, folder;
    bool whole_folder = false;
    std::optional<NamePattern> pattern;

    bool is_series() const { return whole_folder || pattern; }
};

Meaning meaning_of(const fs::path& name) {
    auto pattern = NamePattern::parse(name.filename().string());
    if (pattern && !exists_literally(name)) return {name, name.parent_path(), false, std::move(pattern)};
    const bool folder = is_folder_of_series(name);
    return {name, folder ? name : name.parent_path(), folder, {}};
}

std::vector<std::string> names_of(const Meaning& meaning) {
    if (meaning.whole_folder) return names_of_folder(meaning.folder);
    const fs::path& name = meaning.name;
    if (!meaning.pattern) return {name.filename().string()};
    std::vector<std::string> names = meaning.pattern->names();
    if (names.empty())
        names = names_in(meaning.folder, name,
                         [&meaning](const std::string& one) { return meaning.pattern->matches(one); });
    if (names.empty()) throw series_error(name, "no file matches the pattern");
    if (names.size() > largest_series)
        throw series_error(name, fmt::format("expected at most {} files in a series, found {}",
                                             largest_series, names.size()));
    return names;
}

Series series_of(const Meaning& meaning) {
    const NumberedNames found = numbered(names_of(meaning), meaning.name);
    Series series{meaning.name, meaning.folder, found.pattern(), {}};
    for (const NumberedNames::One& one : found.all)
        series.files.push_back({one.number, series.folder / one.name});
    return series;
}

}  // namespace

std::vector<std::size_t> Series::missing() const {
    std::vector<std::size_t> numbers;
    std::uint64_t next = first();
    for (const NumberedFile& one : files) {
        for (; next < one.number; ++next) numbers.push_back(next);
        ++next;
    }
    return numbers;
}

bool counts_in_folder(const std::string& name) {
    const FrameFormat* const format = format_of_suffix(name);
    return format != nullptr && format->one_frame_per_file && !name.starts_with('.');
}

bool is_series(const fs::path& name) {
    return meaning_of(name).is_series();
}

Series find_series(const fs::path& name) {
    return series_of(meaning_of(name));
}

std::vector<fs::path> files_named(const fs::path& name) {
    const Meaning meaning = meaning_of(name);
    if (!meaning.is_series()) return {name};
    std::vector<fs::path> files;
    for (NumberedFile& one : series_of(meaning).files) files.push_back(std::move(one.file));
    return files;
}

fs::path first_file(const fs::path& name) {
    return files_named(name).front();
}

bool is_there(const fs::path& name) {
    std::error_code failure;
    const Meaning meaning = meaning_of(name);
    if (!meaning.is_series()) return fs::exists(name, failure);
    try {
        return std::ranges::any_of(names_of(meaning), [&](const std::string& one) {
            return fs::exists(meaning.folder / one, failure);
        });
    } catch (const Error&) {
        return false;
    }
}

std::string series_name(const std::vector<std::string>& files) {
    if (files.size() == 1) return files.front();
    if (const FrameFormat* const format = format_of({files.front(), {}});
        !format || !format->one_frame_per_file)
        throw series_error(
            files.front(),
            fmt::format("expected one file, or a series of {} files, found {} files, and the first is {}",
                        series_titles(), files.size(), format ? format->noun : "a file of another format"),
            "name one file");
    const fs::path folder = fs::path(files.front()).parent_path();
    std::set<std::string> names;
    for (const std::string& file : files) {
        const fs::path path = file;
        if (path.parent_path().lexically_normal() != folder.lexically_normal())
            throw series_error(
                file, fmt::format("expected files from one folder, found {} and {}", files.front(), file));
        if (!names.insert(path.filename().string()).second)
            throw series_error(file, "the file is given twice");
    }
    const std::vector<std::string> all(names.begin(), names.end());
    const NumberedNames found = numbered(all, folder / all.front());
    std::vector<std::string> digits;
    for (const NumberedNames::One& one : found.all) digits.push_back(one.digits);
    const std::string in_braces = (folder / braces(found.prefix, digits, found.suffix)).string();
    const fs::path pattern = folder / found.pattern();
    if (has_pattern_characters(found.prefix) || has_pattern_characters(found.suffix) ||
        exists_literally(pattern))
        return in_braces;
    const auto parsed = NamePattern::parse(pattern.filename().string());
    const std::vector<std::string> matching =
        names_in(folder, pattern, [&](const std::string& one) { return parsed && parsed->matches(one); });
    return std::set(matching.begin(), matching.end()) == names ? pattern.string() : in_braces;
}

}  // namespace ks::io
