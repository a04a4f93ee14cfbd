#include "core/run/printed.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"

namespace ks {

void Printed::add(std::string_view piece) {
    constexpr std::size_t end_bytes = 4096;
    end_ += piece.substr(piece.size() - std::min(piece.size(), end_bytes));
    if (end_.size() > end_bytes) end_.erase(0, end_.size() - end_bytes);
    const std::size_t room = most_bytes - text_.size();
    if (bytes_left_out_ == 0) {
        text_ += piece.substr(0, room);
        if (piece.size() <= room) return;
        piece.remove_prefix(room);
        // A line that does not fit is left out completely, unless it is the only one.
        if (const std::size_t end = text_.rfind('\n'); end != std::string::npos) {
            bytes_left_out_ = text_.size() - end - 1;
            text_.resize(end + 1);
        }
    }
    bytes_left_out_ += piece.size();
    lines_left_out_ += static_cast<std::uint64_t>(std::ranges::count(piece, '\n'));
    if (!piece.empty()) in_line_ = piece.back() != '\n';
}

void Printed::require_no_flood(const std::string& variant) const {
    if (!is_flood()) return;
    throw Error(ErrorKind::run,
                fmt::format("it printed {} bytes in one run, so printing would dominate its time",
                            text_.size() + bytes_left_out_),
                variant, fmt::format("remove printf, or print at most {} bytes", most_bytes));
}

std::string Printed::text() const {
    std::string all = text_;
    if (!all.empty() && all.back() != '\n') all += '\n';
    if (bytes_left_out_ == 0) return all;
    const std::uint64_t lines = lines_left_out_ + (in_line_ ? 1 : 0);
    return all + fmt::format("... and {} more {} ({} bytes)\n", lines, lines == 1 ? "line" : "lines",
                             bytes_left_out_);
}

}  // namespace ks
