#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// A line of a file, from 1.
struct FileLine {
    std::string file;
    std::size_t line = 1;
    bool operator==(const FileLine&) const = default;
};

/// The origin of each line of a text assembled from files. Compilers count lines of that text, and not all of
/// them follow `#line`.
class LineMap {
  public:
    /// Line `text_line` of the text and those after it come from `place` onwards. To be called in the order
    /// of the text.
    void add(std::size_t text_line, FileLine place);
    /// Nothing if the file of the line is unknown.
    std::optional<FileLine> place_of(std::size_t text_line) const;
    /// A compiler's messages with "FILE:LINE:COLUMN:" instead of its name for the text: "<kernel>" for
    /// NVIDIA, a temporary file for PoCL. Messages about headers (".h") are unchanged.
    std::string in_files(std::string_view log) const;

  private:
    std::string line_in_files(std::string_view line) const;

    struct Piece {
        std::size_t text_line;
        FileLine place;
    };
    std::vector<Piece> pieces_;
};

/// `#line 12 "spots/mine.cl"`: states the origin of the next line of a text.
std::string line_directive(const FileLine& next);
/// File and line that a `#line` directive states; the file is empty if the directive names none. Nothing for
/// other lines.
std::optional<FileLine> line_directive_of(std::string_view line);

/// `#line` with a comment: an `#include` of what the comment names stood in line `of`; the text of its file
/// follows, up to include_end().
std::string include_begin(const FileLine& of, std::string_view named);
std::string include_end(const FileLine& next);
/// The directive of a line that include_begin() wrote; nothing for other lines.
std::optional<std::string> include_begun_by(std::string_view line);
bool ends_include(std::string_view line);

}  // namespace ks
