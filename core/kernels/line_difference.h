#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ks {

/// One row of two texts that are set side by side.
struct DifferenceRow {
    enum class Kind { same, changed, removed, added };
    Kind kind = Kind::same;
    std::optional<std::size_t> left = {}, right = {};  ///< lines, counted from 0; absent: none on this side

    bool operator==(const DifferenceRow&) const = default;
};

/// The fewest lines to take away from `left` and to add for `right` to come out: E. W. Myers, "An O(ND)
/// difference algorithm and its variations", Algorithmica 1 (1986) 251. Of a stretch where lines went and
/// others came, the first one that went stands beside the first one that came, as `changed`, and so on.
std::vector<DifferenceRow> line_difference(const std::vector<std::string>& left,
                                           const std::vector<std::string>& right);

}  // namespace ks
