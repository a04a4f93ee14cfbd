#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/kernels/line_difference.h"

namespace {

using ks::DifferenceRow;
using RowKind = DifferenceRow::Kind;
using Lines = std::vector<std::string>;

Lines letters(const std::string& text) {
    Lines lines;
    for (const char c : text) lines.emplace_back(1, c);
    return lines;
}

/// Length of the longest common subsequence, by the table of all prefixes.
std::size_t common_length(const Lines& a, const Lines& b) {
    std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j)
            table[i][j] =
                a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    return table[a.size()][b.size()];
}

/// Each line of both texts comes once and in order, equal rows hold equal lines.
void expect_whole(const Lines& left, const Lines& right, const std::vector<DifferenceRow>& rows) {
    std::size_t l = 0, r = 0, same = 0;
    for (const DifferenceRow& row : rows) {
        ASSERT_EQ(row.left.has_value(), row.kind != RowKind::added);
        ASSERT_EQ(row.right.has_value(), row.kind != RowKind::removed);
        if (row.left) {
            ASSERT_EQ(*row.left, l++);
        }
        if (row.right) {
            ASSERT_EQ(*row.right, r++);
        }
        if (row.kind == RowKind::same) {
            ++same;
            ASSERT_EQ(left[*row.left], right[*row.right]);
        }
    }
    EXPECT_EQ(l, left.size());
    EXPECT_EQ(r, right.size());
    EXPECT_EQ(same, common_length(left, right));
}

TEST(LineDifference, of_equal_texts_has_only_equal_rows) {
    const Lines text{"a", "b", "c"};
    for (const DifferenceRow& row : ks::line_difference(text, text)) EXPECT_EQ(row.kind, RowKind::same);
    EXPECT_TRUE(ks::line_difference({}, {}).empty());
}

TEST(LineDifference, of_the_paper_s_example_leaves_four_lines_the_same) {
    const Lines left = letters("abcabba"), right = letters("cbabac");
    const std::vector<DifferenceRow> rows = ks::line_difference(left, right);
    EXPECT_EQ(std::ranges::count(rows, RowKind::same, &DifferenceRow::kind), 4);
    expect_whole(left, right, rows);
}

TEST(LineDifference, a_line_that_took_another_s_place_is_changed) {
    const std::vector<DifferenceRow> rows = ks::line_difference({"a", "b", "c"}, {"a", "x", "c", "d"});
    const std::vector<DifferenceRow> wanted{{RowKind::same, 0, 0},
                                            {RowKind::changed, 1, 1},
                                            {RowKind::same, 2, 2},
                                            {RowKind::added, std::nullopt, 3}};
    EXPECT_EQ(rows, wanted);
}

TEST(LineDifference, of_nothing_with_a_text_adds_all_its_lines) {
    const Lines text{"a", "b"};
    for (const DifferenceRow& row : ks::line_difference({}, text)) EXPECT_EQ(row.kind, RowKind::added);
    for (const DifferenceRow& row : ks::line_difference(text, {})) EXPECT_EQ(row.kind, RowKind::removed);
    expect_whole({}, text, ks::line_difference({}, text));
}

TEST(LineDifference, keeps_as_many_lines_as_the_longest_common_subsequence_has) {
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        const auto text = [&] {
            std::string made;
            const auto length = random() % 30;
            for (std::size_t i = 0; i < length; ++i) made += static_cast<char>('a' + random() % 4);
            return letters(made);
        };
        const Lines left = text(), right = text();
        expect_whole(left, right, ks::line_difference(left, right));
    }
}

}  // namespace
