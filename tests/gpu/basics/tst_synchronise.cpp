// Barriers hold in every group, events are in order, and a race is counted right by atomic functions alone.

#include <algorithm>
#include <cmath>

#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::waiting {
namespace {

ParameterSet sized(std::int64_t groups, std::int64_t local_size) {
    return {{"groups", groups}, {"local_size", local_size}};
}

TEST(Synchronise, barriers_hold_at_any_size) {
    on_each_device([](const DeviceInfo& device) {
        for (const auto& set : {sized(1, 1), sized(4, 8), sized(3, 7), sized(100, 64), sized(5, 255)}) {
            const ks::Run run = run_with("synchronise", "barriers", device, set);
            EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        }
        const auto most = static_cast<std::int64_t>(device.largest_work_group);
        if (most < 4096) refusal_of("synchronise", "barriers", device, sized(1, 4096));
    });
}

TEST(Synchronise, a_trace_or_an_event_out_of_order_fails_the_check) {
    on_each_device([](const DeviceInfo& device) {
        const auto text_after = [&](const std::string& name, auto change) {
            ks::Run run = run_with("synchronise", "barriers", device, sized(2, 4));
            for (Dataset& dataset : run.result.datasets)
                if (dataset.name == name) change(dataset.values);
            Progress progress;
            return engine()
                .registry()
                .analysis("synchronise")
                .check(*problem_with("synchronise", sized(2, 4)), run, CheckMode::full, progress)
                .text;
        };
        EXPECT_EQ(text_after("before", [](Array& tickets) { tickets.as<std::uint32_t>()[6] = 5; }),
                  "fail: the tickets of group 1 before the barrier are not 0 to 3");
        EXPECT_TRUE(text_after("by_global", [](Array& read) {
                        read.as<std::uint32_t>()[3] += 1;
                    }).starts_with("fail: work-item 3 read"));
        EXPECT_EQ(text_after("started", [](Array& times) { times.as<double>()[2] = -1; }),
                  "fail: the times of command 2 are not in the order queued, submitted, started, ended");
    });
}

TEST(Synchronise, a_command_behind_an_enqueued_barrier_starts_when_those_before_have_ended) {
    on_each_device([](const DeviceInfo& device) {
        ks::Run run = run_with("synchronise", "barriers", device, sized(2, 4));
        const auto barriers = run.result.at("barrier").values.as<std::uint32_t>();
        if (barriers.size() == 4) return;  // the device has no queue whose commands run in any order
        ASSERT_EQ(barriers.size(), 8U);
        EXPECT_EQ(barriers[6], 1U);
        const auto text_with = [&](std::size_t command, double started) {
            ks::Run other = run;
            for (Dataset& dataset : other.result.datasets)
                for (const char* name : {"queued", "submitted", "started"})
                    if (dataset.name == name) dataset.values.as<double>()[command] = started;
            Progress progress;
            return engine()
                .registry()
                .analysis("synchronise")
                .check(*problem_with("synchronise", sized(2, 4)), other, CheckMode::full, progress)
                .text;
        };
        EXPECT_EQ(text_with(7, -1), "fail: command 7 started before command 5 had ended");
        EXPECT_TRUE(text_with(5, -1).starts_with("pass")) << "any order before the barrier";
    });
}

TEST(Synchronise, a_time_line_shows_when_each_command_ran) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("synchronise", "barriers", device, sized(3, 4));
        const Array& line = run.result.at("time_line").values;
        const auto started = run.result.at("started").values.as<double>(),
                   ended = run.result.at("ended").values.as<double>(),
                   queued = run.result.at("queued").values.as<double>();
        ASSERT_EQ(line.shape(), (std::vector<std::size_t>{ended.size(), 512}));
        double last = 0;
        for (const double time : ended)
            if (time > last) last = time;  // a barrier's may be no number
        for (std::size_t command = 0; command < ended.size(); ++command) {
            if (std::isnan(ended[command])) continue;
            const auto at = [&](double time) {
                const auto column = std::min<std::size_t>(511, static_cast<std::size_t>(time / last * 512));
                return line.as<std::uint8_t>()[command * 512 + column];
            };
            EXPECT_EQ(at((started[command] + ended[command]) / 2), 3) << command;
            if (queued[command] > last / 256) {
                EXPECT_EQ(at(queued[command] - last / 256), 0) << command;
            }
        }
    });
}

TEST(Synchronise, a_picture_shows_who_waits_at_the_barrier) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("synchronise", "barriers", device, sized(3, 4));
        const Array& picture = run.result.at("picture").values;
        ASSERT_EQ(picture.shape(), (std::vector<std::size_t>{12, 8}));
        const auto states = picture.as<std::uint8_t>();
        for (std::size_t item = 0; item < 12; ++item) {
            EXPECT_EQ(states[item * 8 + 3], 1) << "all have come, and none is behind yet";
            EXPECT_EQ(states[item * 8 + 7], 2);
        }
    });
}

TEST(Synchronise, a_race_runs_by_name_and_atomic_functions_count_right) {
    on_each_device([](const DeviceInfo& device) {
        ParameterSet set = sized(64, 8);
        set["increments"] = std::int64_t{1000};
        ks::Run run = run_with("synchronise", "race", device, set);
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        for (const std::uint32_t count : run.result.at("atomic").values.as<std::uint32_t>())
            EXPECT_EQ(count, 64000U);
        run.result.datasets.at(1).values.as<std::uint32_t>()[0] = 63999;
        Progress progress;
        EXPECT_EQ(engine()
                      .registry()
                      .analysis("synchronise")
                      .check(*problem_with("synchronise", set), run, CheckMode::full, progress)
                      .text,
                  "fail: in repeat 0, atomic_add counted 63999, expected 64000");
        set["increments"] = std::int64_t{1'000'000};
        set["groups"] = std::int64_t{68};
        EXPECT_NE(refusal_of("synchronise", "race", device, set).find("choose at most 986895"),
                  std::string::npos);
    });
}

}  // namespace
}  // namespace ks::tests::waiting
