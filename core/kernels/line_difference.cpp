#include "core/kernels/line_difference.h"

#include <algorithm>
#include <span>

namespace ks {
namespace {

using Lines = std::span<const std::string>;
using Index = std::ptrdiff_t;

/// How far the paths with a given number of edits reach: x on each diagonal x - y = -edits ... edits.
class Furthest {
  public:
    explicit Furthest(Index edits) : edits_(edits), x_(static_cast<std::size_t>(2 * edits + 1)) {}
    Index& operator[](Index diagonal) { return x_[static_cast<std::size_t>(diagonal + edits_)]; }
    Index at(Index diagonal) const { return x_[static_cast<std::size_t>(diagonal + edits_)]; }
    bool has(Index diagonal) const { return -edits_ <= diagonal && diagonal <= edits_; }

  private:
    Index edits_;
    std::vector<Index> x_;
};

/// Whether a path reaches this diagonal by adding a line (from the diagonal above) rather than by removing
/// one (from the diagonal below).
bool comes_by_adding(const Furthest& before, Index diagonal) {
    if (!before.has(diagonal - 1)) return true;
    return before.has(diagonal + 1) && before.at(diagonal - 1) < before.at(diagonal + 1);
}

Index slide(Lines left, Lines right, Index x, Index diagonal) {
    const auto n = static_cast<Index>(left.size()), m = static_cast<Index>(right.size());
    while (x < n && x - diagonal < m &&
           left[static_cast<std::size_t>(x)] == right[static_cast<std::size_t>(x - diagonal)])
        ++x;
    return x;
}

/// The furthest paths for 0, 1, ... edits, until one reaches the end of both texts.
std::vector<Furthest> furthest_paths(Lines left, Lines right) {
    const auto n = static_cast<Index>(left.size()), m = static_cast<Index>(right.size());
    std::vector<Furthest> all;
    for (Index edits = 0;; ++edits) {
        Furthest now(edits);
        for (Index diagonal = -edits; diagonal <= edits; diagonal += 2) {
            Index x = 0;
            if (edits > 0) {
                const Furthest& before = all.back();
                x = comes_by_adding(before, diagonal) ? before.at(diagonal + 1) : before.at(diagonal - 1) + 1;
            }
            now[diagonal] = slide(left, right, x, diagonal);
            if (now[diagonal] >= n && now[diagonal] - diagonal >= m) {
                all.push_back(std::move(now));
                return all;
            }
        }
        all.push_back(std::move(now));
    }
}

/// Pairs of equal lines, in order.
std::vector<std::pair<Index, Index>> equal_lines(Lines left, Lines right) {
    std::vector<std::pair<Index, Index>> pairs;
    const std::vector<Furthest> paths = furthest_paths(left, right);
    Index x = static_cast<Index>(left.size()), y = static_cast<Index>(right.size());
    for (Index edits = static_cast<Index>(paths.size()) - 1; edits >= 0; --edits) {
        Index from_x = 0, from_y = 0;  // where the last edit ended
        Index before_x = 0, before_y = 0;
        if (edits > 0) {
            const Furthest& before = paths[static_cast<std::size_t>(edits - 1)];
            const Index diagonal = x - y;
            const bool adding = comes_by_adding(before, diagonal);
            const Index last = adding ? diagonal + 1 : diagonal - 1;
            before_x = before.at(last);
            before_y = before_x - last;
            from_x = adding ? before_x : before_x + 1;
            from_y = from_x - diagonal;
        }
        while (x > from_x && y > from_y) pairs.emplace_back(--x, --y);
        x = before_x;
        y = before_y;
    }
    std::ranges::reverse(pairs);
    return pairs;
}

/// Rows of the lines removed and added before the next pair of equal ones.
void add_changed(std::vector<DifferenceRow>& rows, std::size_t& left, std::size_t left_end,
                 std::size_t& right, std::size_t right_end) {
    using Kind = DifferenceRow::Kind;
    while (left < left_end && right < right_end) rows.push_back({Kind::changed, left++, right++});
    while (left < left_end) rows.push_back({Kind::removed, left++, std::nullopt});
    while (right < right_end) rows.push_back({Kind::added, std::nullopt, right++});
}

}  // namespace

std::vector<DifferenceRow> line_difference(const std::vector<std::string>& left,
                                           const std::vector<std::string>& right) {
    // Two variants often begin and end alike; equal ends need no search.
    const std::size_t shorter = std::min(left.size(), right.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && left[head] == right[head]) ++head;
    while (tail < shorter - head && left[left.size() - 1 - tail] == right[right.size() - 1 - tail]) ++tail;
    const auto middle = [&](const std::vector<std::string>& lines) {
        return Lines(lines).subspan(head, lines.size() - head - tail);
    };
    std::vector<DifferenceRow> rows;
    std::size_t at_left = 0, at_right = 0;
    const auto add_same = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            rows.push_back({DifferenceRow::Kind::same, at_left++, at_right++});
    };
    add_same(head);
    for (const auto& [x, y] : equal_lines(middle(left), middle(right))) {
        add_changed(rows, at_left, head + static_cast<std::size_t>(x), at_right,
                    head + static_cast<std::size_t>(y));
        add_same(1);
    }
    add_changed(rows, at_left, left.size() - tail, at_right, right.size() - tail);
    add_same(tail);
    return rows;
}

}  // namespace ks
