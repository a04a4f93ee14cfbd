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

/// Of 64 bits, with a sign or without.
__extension__ typedef __int128 WholeNumber;

/// Reads the rows of a CSV file (comma separated, a header line, no quoting) by the names of columns, in any
/// order. Blank lines are skipped; further columns are ignored. Every failure is a ks::Error(input) that
/// names the line.
class CsvReader {
  public:
    /// @param wanted names of columns; @param optional may be absent (then has() is false)
    CsvReader(const std::filesystem::path& file, std::vector<std::string> wanted,
              std::vector<std::string> optional = {});

    /// Names of all columns of the file, in its order.
    const std::vector<std::string>& header() const { return header_; }
    /// All values of the current row, by column of the file.
    const std::vector<std::string_view>& fields() const { return fields_; }
    /// One more column that is wanted: what `column` of integer() and real() is for it.
    std::size_t want(const std::string& name);

    /// Rows that are left, were they as long as the next one.
    std::size_t rows_about() const;

    /// Goes to the next row; false at the end.
    bool next();
    /// Of the current row; `column` counts in wanted, then in optional. A whole number may be written in any
    /// notation: 100, 100.0 and 1e2 are the same.
    std::int64_t integer(std::size_t column) const;
    /// The same of up to 2^64 - 1.
    WholeNumber identifier(std::size_t column) const;
    double real(std::size_t column) const;
    bool has(std::size_t column) const { return places_[column] != absent; }

    /// Number of the current line in the file, from 1: counted when it is asked for.
    std::size_t line() const;
    /// Part of the file that was read, 0..1.
    double fraction() const;
    /// "FILE, line 12": for errors about the current row.
    std::string where() const;
    /// What is to be said of a file whose last line has no newline, as of one whose end was cut off; else
    /// empty.
    std::string end_warning() const;

  private:
    friend class CsvParts;
    CsvReader(const std::filesystem::path& file, FileText text, std::vector<std::string> wanted,
              const std::vector<std::string>& optional);
    static constexpr std::size_t absent = static_cast<std::size_t>(-1);
    std::size_t place_of(const std::string& name) const;
    std::string_view next_line();
    std::string_view field(std::size_t column) const;

    std::filesystem::path file_;
    FileText text_;                         ///< of the file, or of a part of it
    std::shared_ptr<const TextFile> open_;  ///< of a part: the file
    std::size_t text_start_ = 0;            ///< in the file
    std::size_t at_ = 0, end_ = 0;          ///< of what is still to be read
    std::size_t line_start_ = 0;            ///< of the current line
    std::vector<std::string> header_, names_;
    std::vector<std::size_t> places_;  ///< per name, the position in a row
    std::vector<std::string_view> fields_;
};

/// A CSV file in parts of whole lines, which threads read side by side, each in little memory.
class CsvParts {
  public:
    /// @param bytes of a part, about; columns as in CsvReader. Throws as CsvReader does.
    CsvParts(const std::filesystem::path& file, std::size_t bytes, std::vector<std::string> wanted,
             const std::vector<std::string>& optional = {});

    /// Has the header, and no rows.
    const CsvReader& header() const { return header_; }
    std::size_t size() const { return (end_ - start_ + bytes_ - 1) / bytes_; }
    /// As of CsvReader.
    std::string end_warning() const;
    /// The rows of a part, with the numbers of their lines in the file.
    CsvReader part(std::size_t i) const;

  private:
    static FileText beginning(const TextFile& file);

    std::shared_ptr<const TextFile> file_;
    std::size_t bytes_;
    CsvReader header_;
    std::size_t start_, end_;  ///< of the lines behind the header
};

/// Names of the columns of a CSV file. Reads its beginning alone: empty where that has no header line, or
/// where it cannot be read.
std::vector<std::string> csv_columns(const std::filesystem::path& file);

/// A value as CsvReader reads it; nothing where it is no number.
std::optional<double> csv_number(std::string_view text);

}  // namespace ks::io
