#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ks {

/// Output of kernels: the first lines, and how much more there was.
class Printed {
  public:
    static constexpr std::size_t most_bytes = std::size_t{1} << 16;

    void add(std::string_view piece);

    bool empty() const { return text_.empty(); }
    /// Whole lines, 64 KiB at most; if some are left out, a last line says how many: "... and 12 more
    /// lines (408 bytes)". Every line ends with a newline.
    std::string text() const;
    /// There was more output than is kept.
    bool is_flood() const { return bytes_left_out_ > 0; }
    /// The last 4 KiB of all output, whether kept or not.
    const std::string& end() const { return end_; }
    /// Throws ks::Error(run) if is_flood(): for callers that time kernels. @param variant that printed
    void require_no_flood(const std::string& variant) const;

  private:
    std::string text_, end_;
    std::uint64_t bytes_left_out_ = 0, lines_left_out_ = 0;
    bool in_line_ = false;  ///< the omitted output ends within a line
};

}  // namespace ks
