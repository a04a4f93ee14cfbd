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

/// Where each line of a text comes from that was put together from files. Compilers count lines of that text,
/// and not all of them follow `#line`.
class LineMap {
  public:
    /// Line `text_line` of the text and those behind it are `place` and what follows it. In the order of the
    /// text.
    void add(std::size_t text_line, FileLine place);
    /// Nothing where no file is known of the line.
    std::optional<FileLine> place_of(std::size_t text_line) const;
    /// A compiler's messages with "FILE:LINE:COLUMN:" in the place of its own name of the text: "<kernel>" of
    /// NVIDIA, a temporary file of PoCL. Messages about headers (".h") stay as they are.
    std::string in_files(std::string_view log) const;

  private:
    std::string line_in_files(std::string_view line) const;

    struct Piece {
        std::size_t text_line;
        FileLine place;
    };
    std::vector<Piece> pieces_;
};

/// `#line 12 "spots/mine.cl"`: how a text says where its next line comes from.
std::string line_directive(const FileLine& next);
/// What such a line says; nothing for any other line, and the file is empty where it names none.
std::optional<FileLine> line_directive_of(std::string_view line);

}  // namespace ks
