#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/io/csv/csv.h"
#include "core/io/digis/digi_file.h"

namespace ks::io {

/// One digi as read from a file.
struct DigiRow {
    WholeNumber module = 0;
    std::int64_t x = 0, y = 0, adc = 0, event = 0;
};

/// Collects digis and checks their limits.
class DigiRows {
  public:
    /// @param wide module ids may have up to 64 bits
    DigiRows(const DigiLimits& limits, bool events, bool wide)
        : limits_(limits), events_(events), wide_(wide) {}

    /// @param where the row, for messages. Throws ks::Error(input) naming it.
    template <class Where>
    void add(const DigiRow& row, const Where& where) {
        if (fits(row))
            append(row);
        else
            refuse(row, where());
    }
    std::size_t size() const { return digis_.x.size(); }
    void reserve(std::size_t rows);
    /// The rows of all parts, in order; concatenated in parallel.
    static DigiRows joined(std::vector<DigiRows> parts);
    /// The table; modules whose ids exceed 32 bits are numbered.
    DigiTable take();

  private:
    bool fits(const DigiRow& row) const;
    void append(const DigiRow& row);
    [[noreturn]] void refuse(const DigiRow& row, const std::string& where) const;

    DigiLimits limits_;
    bool events_, wide_;
    DigiTable digis_;
    std::vector<std::uint64_t> wide_modules_;
};

}  // namespace ks::io
