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

KS_FIELDS(SourcePlace, file, line)

/// A line of a kernel whose included files are inlined.
struct SourceLine {
    std::string text;
    SourcePlace place;
    std::size_t depth = 0;  ///< how many files include the one of this line
    /// A directive that is replaced by its file, one level deeper. The compiler does not get it.
    bool include = false;
    /// Counted from 1, as in messages of the compiler; absent for a directive that was replaced.
    std::optional<std::size_t> compiled = {};
};

/// A directive that would make the compiler read a file but cannot be replaced by it.
struct UnreadFile {
    std::string why;  ///< a sentence
    SourcePlace place;
    bool conditional = false;  ///< within #if and the like: the compiler may leave it out
};

/// A kernel as passed to the compiler, with the place of each line.
struct ResolvedSource {
    std::vector<SourceLine> lines;
    std::vector<UnreadFile> unread;  ///< each is replaced by an #error
    /// Why it cannot be decided which files the compiler would read; nothing: the compiler reads no file.
    std::optional<UnreadFile> unclear;

    /// The text for the compiler.
    std::string text() const;
    /// The place of a line as the compiler counts it, from 1; nothing if there is no such line.
    std::optional<SourcePlace> place_of(std::size_t compiled) const;
    /// The place that a message names, by file and line. If the file is the compiler's own name for the whole
    /// text, the line is one of that text. The file need not be part of this source: the user's kernel may
    /// include another one.
    std::optional<SourcePlace> place_of(const CompilerMessage& message) const;
    /// Index of the first line of this place.
    std::optional<std::size_t> find(const SourcePlace& place) const;
};

/// The place that a message names: a line of one of `files` (texts by path), otherwise one of `source`.
std::optional<SourcePlace> place_of(const CompilerMessage& message, const ResolvedSource& source,
                                    const std::map<std::string, std::string>& files);

/// Lines of a text, without their line ends. A last line without a line end counts as well.
std::vector<std::string> lines_of(std::string_view text);

/// The text for the compiler. Lines `#include "PATH"` are replaced by the texts of `files` (by path). Two
/// kinds of lines are removed: `#line 12 "FILE"`, which states the place of the lines after it (and, as
/// include_begin() and include_end(), that they are those of an included file; without a file, it is one of
/// the text itself, and has no effect), and any other directive, in whatever spelling, that would make a
/// compiler read a file. Files that include each other
/// without end are cut off below the eighth level.
ResolvedSource resolve_source(const std::string& file, std::string_view text,
                              const std::map<std::string, std::string>& files);

}  // namespace ks
