#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields.h"
#include "core/kernels/compiler_message.h"

namespace ks {

/// A line of a kernel file.
struct SourcePlace {
    std::string file;
    std::size_t line = 0;  ///< counted from 1

    bool operator==(const SourcePlace&) const = default;
};

void fields(auto& visit, ConstOr<SourcePlace> auto& place) {
    visit("file", place.file);
    visit("line", place.line);
}

/// A line of a kernel with the files that it includes in place.
struct SourceLine {
    std::string text;
    SourcePlace place;
    std::size_t depth = 0;  ///< how many files include the one of this line
    /// A directive whose file follows, one level deeper. The compiler does not get it.
    bool include = false;
    /// Counted from 1, as messages of the compiler do; absent for a directive that was followed.
    std::optional<std::size_t> compiled = {};
};

/// A directive that would have the compiler read a file, and cannot be followed.
struct UnreadFile {
    std::string why;  ///< a sentence
    SourcePlace place;
    bool conditional = false;  ///< within #if and the like: the compiler may leave it out
};

/// A kernel as the compiler gets it, with the place of each line.
struct ResolvedSource {
    std::vector<SourceLine> lines;
    std::vector<UnreadFile> unread;  ///< an #error stands in the place of each
    /// Why nobody can tell which files the compiler would read; nothing: it reads none.
    std::optional<UnreadFile> unclear;

    /// As the compiler gets it.
    std::string text() const;
    /// The place of a line that the compiler counts, from 1; nothing where there is no such line.
    std::optional<SourcePlace> place_of(std::size_t compiled) const;
    /// The place that a message names: by its file, or where that is the compiler's own name of the whole
    /// text by its line there. A file may be none of this source: one that the user's own kernel includes.
    std::optional<SourcePlace> place_of(const CompilerMessage& message) const;
    /// Index of the first line of this place.
    std::optional<std::size_t> find(const SourcePlace& place) const;
};

/// The place that a message names: a line of one of `files` (texts by path), else one of `source`.
std::optional<SourcePlace> place_of(const CompilerMessage& message, const ResolvedSource& source,
                                    const std::map<std::string, std::string>& files);

/// Lines of a text, without their ends. A last line without an end is one, too.
std::vector<std::string> lines_of(std::string_view text);

/// What the compiler gets: the texts of `files`, by path, in the place of lines `#include "PATH"`, without
/// lines
/// `#line 12 "FILE"`, which tell the places of what follows, and without any other directive by which a
/// compiler would read a file, in whatever spelling. Files that include each other without end are left out
/// below the eighth level.
ResolvedSource resolve_source(const std::string& file, std::string_view text,
                              const std::map<std::string, std::string>& files);

}  // namespace ks
