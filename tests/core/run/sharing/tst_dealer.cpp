#include "core/run/sharing/dealer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace ks::tests {
namespace {

ShareUnits alike(std::size_t count, std::size_t multiple = 1) {
    return {.name = "units", .count = count, .multiple = multiple};
}

/// The pieces of devices that do so many units of work a millisecond, each on a thread of its own.
struct Played {
    std::vector<std::vector<Piece>> pieces;
    std::vector<double> busy;  ///< milliseconds
};
Played play(Dealer& dealer, const std::vector<double>& rates) {
    Played played{std::vector<std::vector<Piece>>(rates.size()), std::vector<double>(rates.size(), 0.0)};
    std::vector<std::jthread> threads;
    for (std::size_t device = 0; device < rates.size(); ++device)
        threads.emplace_back([&, device] {
            while (const auto piece = dealer.next(device)) {
                const double milliseconds = static_cast<double>(piece->end - piece->first) / rates[device];
                std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
                played.pieces[device].push_back(*piece);
                played.busy[device] += milliseconds;
                dealer.done(device, *piece, static_cast<std::uint64_t>(milliseconds * 1e6));
            }
        });
    threads.clear();
    return played;
}

/// Every unit once.
void expect_all(const Played& played, std::size_t count, std::size_t multiple) {
    std::vector<int> times(count, 0);
    for (const auto& pieces : played.pieces)
        for (const Piece& piece : pieces) {
            EXPECT_EQ(piece.first % multiple, 0U);
            EXPECT_LT(piece.first, piece.end);
            for (std::size_t unit = piece.first; unit < piece.end; ++unit) ++times[unit];
        }
    EXPECT_EQ(std::ranges::count(times, 1), static_cast<std::ptrdiff_t>(count));
}

std::size_t units_of(const std::vector<Piece>& pieces) {
    std::size_t sum = 0;
    for (const Piece& piece : pieces) sum += piece.end - piece.first;
    return sum;
}

}  // namespace

TEST(Dealer, one_device_gets_every_unit_in_order) {
    Dealer dealer(alike(1000, 7), 1);
    std::size_t expected = 0;
    while (const auto piece = dealer.next(0)) {
        EXPECT_EQ(piece->first, expected);
        expected = piece->end;
        dealer.done(0, *piece, 1000);
    }
    EXPECT_EQ(expected, 1000U);
    EXPECT_TRUE(dealer.complete());
}

TEST(Dealer, the_first_pieces_are_small) {
    Dealer dealer(alike(100000), 4);
    for (std::size_t device = 0; device < 4; ++device) {
        const auto piece = dealer.next(device);
        ASSERT_TRUE(piece);
        EXPECT_LT(piece->end - piece->first, 100000U / 4 / 8);
    }
}

TEST(Dealer, devices_of_one_kind_get_most_at_once) {
    constexpr std::size_t count = 4000;
    Dealer dealer(alike(count), 2, true);
    const Played played = play(dealer, {20, 20});
    expect_all(played, count, 1);
    for (const auto& pieces : played.pieces) {
        EXPECT_GT(pieces.front().end - pieces.front().first, count / 2 * 9 / 10);
        EXPECT_LE(pieces.size(), 4U);
    }
}

TEST(Dealer, of_devices_of_one_kind_too_the_faster_does_more) {
    constexpr std::size_t count = 4000;
    Dealer dealer(alike(count), 2, true);
    // 94 ms for most of its share: the rest is for the other.
    const Played played = play(dealer, {20, 15});
    expect_all(played, count, 1);
    EXPECT_GT(units_of(played.pieces[0]), units_of(played.pieces[1]) + count / 32);
}

TEST(Dealer, pieces_follow_the_rates) {
    constexpr std::size_t count = 24000;
    Dealer dealer(alike(count), 2);
    const Played played = play(dealer, {30, 10});
    expect_all(played, count, 1);
    EXPECT_NEAR(static_cast<double>(units_of(played.pieces[0])), 0.75 * count, 0.08 * count);
    // 600 ms each, in a few pieces.
    EXPECT_LT(played.pieces[0].size() + played.pieces[1].size(), 40U);
}

TEST(Dealer, a_device_that_is_much_slower_does_not_hold_up_the_end) {
    constexpr std::size_t count = 1000;
    Dealer dealer(alike(count, 50), 2);
    // Fast: 250 ms for all of it. Slow: 500 ms for one multiple.
    const Played played = play(dealer, {4, 0.1});
    expect_all(played, count, 50);
    EXPECT_EQ(played.pieces[1].size(), 1U);
}

TEST(Dealer, the_last_units_of_many_devices_are_dealt) {
    for (const std::size_t devices : {2U, 3U, 4U, 8U})
        for (const std::size_t count : {1U, 2U, 5U, 6U, 7U, 9U}) {
            Dealer dealer(alike(count), devices);
            expect_all(play(dealer, std::vector<double>(devices, 2.0)), count, 1);
            EXPECT_TRUE(dealer.complete());
        }
}

TEST(Dealer, work_of_units_counts_and_not_their_number) {
    ShareUnits units = alike(10);
    units.work = {1000, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    Dealer dealer(units, 2);
    const auto heavy = dealer.next(0);
    ASSERT_TRUE(heavy);
    EXPECT_EQ(*heavy, (Piece{0, 1}));
    EXPECT_NEAR(dealer.part_of(*heavy), 1000.0 / 1009, 1e-12);
}

TEST(Dealer, fewer_units_than_devices_leave_some_without) {
    Dealer dealer(alike(2), 4);
    const auto a = dealer.next(0), b = dealer.next(1);
    ASSERT_TRUE(a && b);
    dealer.done(0, *a, 1);
    dealer.done(1, *b, 1);
    EXPECT_FALSE(dealer.next(2));
    EXPECT_FALSE(dealer.next(3));
    EXPECT_TRUE(dealer.complete());
}

TEST(Dealer, what_is_given_back_goes_to_another_which_waits_for_it) {
    Dealer dealer(alike(2), 2);
    const auto a = dealer.next(0), b = dealer.next(1);
    ASSERT_TRUE(a && b);
    dealer.done(1, *b, 1);
    std::optional<Piece> came;
    {
        std::jthread waits([&] { came = dealer.next(1); });
        dealer.give_back(0, *a);
    }
    ASSERT_TRUE(came);
    EXPECT_EQ(*came, *a);
    EXPECT_FALSE(dealer.next(0));
    EXPECT_FALSE(dealer.complete());
    dealer.done(1, *came, 1);
    EXPECT_TRUE(dealer.complete());
}

TEST(Dealer, where_all_are_out_nobody_waits) {
    Dealer dealer(alike(5), 2);
    const auto a = dealer.next(0), b = dealer.next(1);
    dealer.give_back(0, *a);
    dealer.give_back(1, *b);
    EXPECT_FALSE(dealer.next(0));
    EXPECT_FALSE(dealer.next(1));
    EXPECT_FALSE(dealer.complete());
}

TEST(Dealer, stop_wakes_who_waits) {
    Dealer dealer(alike(1), 2);
    ASSERT_TRUE(dealer.next(0));
    std::optional<Piece> came = Piece{};
    {
        std::jthread waits([&] { came = dealer.next(1); });
        dealer.stop();
    }
    EXPECT_FALSE(came);
    EXPECT_FALSE(dealer.complete());
}

TEST(Dealer, where_each_part_reads_all_there_are_as_many_as_devices) {
    ShareUnits units = alike(1000);
    units.reads_all = true;
    Dealer dealer(units, 3);
    std::vector<Piece> pieces;
    for (std::size_t device = 0; device < 3; ++device) pieces.push_back(dealer.next(device).value());
    EXPECT_EQ(pieces[0].first, 0U);
    EXPECT_EQ(pieces[2].end, 1000U);
    for (const Piece& piece : pieces) EXPECT_NEAR(static_cast<double>(piece.end - piece.first), 333.0, 2.0);
}

}  // namespace ks::tests
