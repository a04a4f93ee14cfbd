#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ks {

/// One row of two texts shown side by side.
struct DifferenceRow {
    enum class Kind { same, changed, removed, added };
    Kind kind = Kind::same;
    std::optional<std::size_t> left = {},
                               right = {};  ///< lines, counted from 0; absent: no line on this side

    bool operator==(const DifferenceRow&) const = default;
};

/// The smallest set of lines to remove from `left` and to add to obtain `right`: E. W. Myers, "An O(ND)
/// difference algorithm and its variations", Algorithmica 1 (1986) 251. Where lines were both removed and
/// added, the first removed one is paired with the first added one as `changed`, and so on.
std::vector<DifferenceRow> line_difference(const std::vector<std::string>& left,
                                           const std::vector<std::string>& right);

}  // namespace ks
