// What ranks say to each other, with ranks that are threads.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/core/ranks/thread_ranks.h"

namespace ks::tests {
namespace {

using namespace std::chrono_literals;

wire::Message number(std::size_t value) {
    wire::Message message;
    message.header = {{"value", value}};
    message.blobs.push_back(std::vector<std::byte>(value * 100000, static_cast<std::byte>(value)));
    return message;
}

TEST(Exchange, rank_0_gets_a_message_of_every_rank_by_rank_with_its_blobs) {
    std::vector<std::size_t> values, blobs;
    const auto outcomes = on_ranks(5, [&](Exchange& exchange, Progress&) {
        // the last ones come first
        std::this_thread::sleep_for(std::chrono::milliseconds(20 * (5 - exchange.rank())));
        const auto all = exchange.gathered("numbers", number(exchange.rank() * exchange.rank()));
        EXPECT_EQ(all.empty(), !exchange.is_first());
        for (const auto& one : all) {
            values.push_back(one.header.at("value").get<std::size_t>());
            blobs.push_back(one.blobs.at(0).size());
        }
    });
    EXPECT_EQ(values, (std::vector<std::size_t>{0, 1, 4, 9, 16}));
    EXPECT_EQ(blobs, (std::vector<std::size_t>{0, 100000, 400000, 900000, 1600000}));
    for (const auto& outcome : outcomes) EXPECT_FALSE(outcome);
}

TEST(Exchange, all_ranks_get_what_rank_0_tells) {
    std::atomic<std::size_t> sum = 0;
    on_ranks(4, [&](Exchange& exchange, Progress&) {
        sum += exchange.told("number", number(7 + exchange.rank())).header.at("value").get<std::size_t>();
    });
    EXPECT_EQ(sum, 28U);
}

TEST(Exchange, several_steps_do_not_mix_where_one_rank_is_ahead) {
    std::vector<std::size_t> first, second;
    on_ranks(3, [&](Exchange& exchange, Progress&) {
        if (exchange.is_first()) std::this_thread::sleep_for(50ms);
        for (const auto& one : exchange.gathered("first", number(exchange.rank())))
            first.push_back(one.header.at("value").get<std::size_t>());
        for (const auto& one : exchange.gathered("second", number(10 + exchange.rank())))
            second.push_back(one.header.at("value").get<std::size_t>());
    });
    EXPECT_EQ(first, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(second, (std::vector<std::size_t>{10, 11, 12}));
}

TEST(Exchange, the_error_of_one_rank_ends_those_that_wait_and_those_that_compute_and_names_it) {
    const auto outcomes = on_ranks(4, [&](Exchange& exchange, Progress& progress) {
        if (exchange.rank() == 3) throw Error(ErrorKind::device, "the device is gone", "GPU 1", "buy one");
        if (exchange.rank() == 2)
            while (true) {
                progress.report(0.5, "compute");
                std::this_thread::sleep_for(5ms);
            }
        exchange.gathered("result", {});
    });
    ASSERT_TRUE(outcomes[0]);
    EXPECT_EQ(outcomes[0]->kind(), ErrorKind::device);
    EXPECT_STREQ(outcomes[0]->what(), "rank 3 on node1: GPU 1: the device is gone; buy one");
    ASSERT_TRUE(outcomes[2]);
    EXPECT_EQ(outcomes[2]->kind(), ErrorKind::cancelled);
}

TEST(Exchange, what_fails_at_all_ranks_is_told_as_it_is_at_rank_0) {
    const auto outcomes = on_ranks(4, [&](Exchange& exchange, Progress& progress) {
        for (int i = 0; i < (exchange.is_first() ? 10 : 1); ++i) {  // rank 0 is the last to find it
            progress.report(0, "load");
            std::this_thread::sleep_for(5ms);
        }
        throw Error(ErrorKind::input, "no such file", "a.h5");
    });
    ASSERT_TRUE(outcomes[0]);
    EXPECT_STREQ(outcomes[0]->what(), "a.h5: no such file");
}

TEST(Exchange, cancelling_rank_0_ends_all) {
    const auto outcomes = on_ranks(3, [&](Exchange& exchange, Progress& progress) {
        if (exchange.is_first()) progress.cancel();
        exchange.told("go", {});
        exchange.gathered("result", {});
        exchange.told("over", {});
    });
    for (const auto& outcome : outcomes) {
        ASSERT_TRUE(outcome);
        EXPECT_EQ(outcome->kind(), ErrorKind::cancelled);
    }
}

TEST(Exchange, what_rank_0_shows_is_the_mean_of_all_ranks_in_its_stage) {
    std::vector<double> shown;
    on_ranks(4, [&](Exchange& exchange, Progress& progress) {
        if (exchange.is_first())
            exchange.show_by([&](double fraction, const std::string& stage) {
                if (stage == "compute") shown.push_back(fraction);
            });
        else
            progress.report(exchange.rank() == 1 ? 0.5 : 0.75, "compute");
        exchange.gathered("told", {});
        if (exchange.is_first()) progress.report(0, "compute");
    });
    ASSERT_FALSE(shown.empty());
    EXPECT_DOUBLE_EQ(shown.back(), (0 + 0.5 + 0.75 + 0.75) / 4);
}

TEST(Exchange, letters_are_apart_from_steps) {
    std::vector<std::size_t> from;
    on_ranks(3, [&](Exchange& exchange, Progress&) {
        if (!exchange.is_first()) {
            wire::Message letter;
            letter.header = {{"type", "want"}};
            exchange.send(0, letter);
            exchange.gathered("done", {});
            return;
        }
        exchange.gathered("done", {});
        for (int i = 0; i < 2; ++i) from.push_back(exchange.letter().from);
        EXPECT_FALSE(exchange.next_letter());
    });
    std::ranges::sort(from);
    EXPECT_EQ(from, (std::vector<std::size_t>{1, 2}));
}

}  // namespace
}  // namespace ks::tests
