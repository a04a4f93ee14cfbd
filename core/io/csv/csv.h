#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/files/file_text.h"

namespace ks::io {

/// 128 bits: holds every 64-bit integer, signed or unsigned.
__extension__ typedef __int128 WholeNumber;

/// Reads the rows of a CSV file (comma separated, with a header line, no quoting) by column names, in any
/// order. Blank lines are skipped; other columns are ignored. Every failure is a ks::Error(input) that
/// names the line.
class CsvReader {
  public:
    /// @param wanted names of required columns
    /// @param optional columns that may be missing (has() is then false)
    CsvReader(const std::filesystem::path& file, std::vector<std::string> wanted,
              std::vector<std::string> optional = {});

    /// Names of all columns of the file, in file order.
    const std::vector<std::string>& header() const { return header_; }
    /// All values of the current row, in the file's column order.
    const std::vector<std::string_view>& fields() const { return fields_; }
    /// Adds a wanted column and returns its `column` for integer() and real().
    std::size_t want(const std::string& name);

    /// Estimated number of remaining rows, assuming that they are as long as the next one.
    std::size_t rows_about() const;

    /// Advances to the next row; false at the end.
    bool next();
    /// A value of the current row; `column` counts the wanted columns, then the optional ones. An integer may
    /// be written in any notation: 100, 100.0 and 1e2 are the same.
    std::int64_t integer(std::size_t column) const;
    /// The same, up to 2^64 - 1.
    WholeNumber identifier(std::size_t column) const;
    double real(std::size_t column) const;
    bool has(std::size_t column) const { return places_[column] != absent; }

    /// Number of the current line in the file, from 1; computed on request.
    std::size_t line() const;
    /// Fraction of the file that was read, 0..1.
    double fraction() const;
    /// "FILE, line 12", for errors about the current row.
    std::string where() const;
    /// A warning for a file whose last line has no newline, as if its end were cut off; else empty.
    std::string end_warning() const;

  private:
    friend class CsvParts;
    CsvReader(const std::filesystem::path& file, FileText text, std::vector<std::string> wanted,
              const std::vector<std::string>& optional);
    static constexpr std::size_t absent = static_cast<std::size_t>(-1);
    /// Throws ks::Error(input) if several columns have this name.
    std::size_t place_of(const std::string& name) const;
    std::string_view next_line();
    std::string_view field(std::size_t column) const;

    std::filesystem::path file_;
    FileText text_;                         ///< the text of the file or of a part of it
    std::shared_ptr<const TextFile> open_;  ///< the file, if this is a part
    std::size_t text_start_ = 0;            ///< offset in the file
    std::size_t at_ = 0, end_ = 0;          ///< the range that is still to be read
    std::size_t line_start_ = 0;            ///< start of the current line
    std::vector<std::string> header_, names_;
    std::vector<std::size_t> places_;  ///< per name, its position in a row
    std::vector<std::string_view> fields_;
};

/// A CSV file in parts of whole lines, which threads read in parallel, each using little memory.
class CsvParts {
  public:
    /// @param bytes approximate size of a part; columns as in CsvReader. Throws as CsvReader does.
    CsvParts(const std::filesystem::path& file, std::size_t bytes, std::vector<std::string> wanted,
             const std::vector<std::string>& optional = {});

    /// Has the header but no rows.
    const CsvReader& header() const { return header_; }
    std::size_t size() const { return (end_ - start_ + bytes_ - 1) / bytes_; }
    /// As in CsvReader.
    std::string end_warning() const;
    /// The rows of a part, with their line numbers in the file.
    CsvReader part(std::size_t i) const;

  private:
    static FileText beginning(const TextFile& file);

    std::shared_ptr<const TextFile> file_;
    std::size_t bytes_;
    CsvReader header_;
    std::size_t start_, end_;  ///< range of the lines after the header
};

/// Names of the columns of a CSV file. Reads only its beginning: empty if that has no header line or
/// cannot be read.
std::vector<std::string> csv_columns(const std::filesystem::path& file);
/// CsvReader::end_warning() of a file of which only the end is read; empty also if it cannot be read.
std::string csv_end_warning(const std::filesystem::path& file);

/// A value as read by CsvReader; nothing if it is not a number.
std::optional<double> csv_number(std::string_view text);

}  // namespace ks::io
