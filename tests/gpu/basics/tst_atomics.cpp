// Every atomic function, on counters in global and in local memory, under any contention.

#include "core/basics/atomics/atomics.h"
#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::counting {
namespace {

constexpr const char* functions[] = {"add", "sub", "xchg", "inc", "dec", "cmpxchg",
                                     "min", "max", "and",  "or",  "xor", "or_by_cmpxchg"};

ParameterSet calls_of(const char* function, std::int64_t items, std::int64_t calls) {
    return {{"function", std::string(function)},
            {"items", items},
            {"calls", calls},
            {"repeats", std::int64_t{1}}};
}

void expect_right(const DeviceInfo& device, const ParameterSet& set) {
    for (const char* variant : {"global.atomics", "local.atomics"})
        for (int i = 0; i < 2; ++i) {
            const ks::Run run = run_with("atomics", variant, device, set);
            EXPECT_EQ(run.verdict.state, Verdict::State::pass)
                << variant << ", " << text(set, "function") << ", " << integer(set, "items")
                << " items: " << run.verdict.text;
            for (const double rate : run.result.at("rate").values.as<double>()) EXPECT_GT(rate, 0);
        }
}

TEST(Atomics, every_function_is_right_at_every_number_of_items) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* function : functions) {
            for (const std::int64_t items : {1, 2, 3, 63, 64, 65, 1000})
                expect_right(device, calls_of(function, items, 3));
            expect_right(device, calls_of(function, 20'011, 2));
        }
    });
}

TEST(Atomics, counters_that_groups_share_are_right) {
    // 3, 65 and 100 divide no group, so that counters lie in two groups
    on_each_device([](const DeviceInfo& device) {
        for (const char* function : functions)
            for (const std::int64_t contention : {3, 63, 65, 100, 999}) {
                ParameterSet set = calls_of(function, 1000, 2);
                set["items_per_counter"] = contention;
                expect_right(device, set);
            }
    });
}

TEST(Atomics, one_counter_has_what_all_items_called) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* variant : {"global.atomics", "local.atomics"}) {
            const auto counter = [&](const char* function) {
                const ks::Run run = run_with("atomics", variant, device, calls_of(function, 1000, 7));
                return run.result.at("first_counter").values.as<std::uint32_t>().back();
            };
            EXPECT_EQ(counter("inc"), 7000U) << variant;
            EXPECT_EQ(counter("dec"), 0U - 7000U) << variant;
            EXPECT_EQ(counter("or"), 0xFFFFFFFFU) << variant;
            EXPECT_EQ(counter("and"), 0U) << variant;
        }
    });
}

TEST(Atomics, over_the_memory_limit_the_items_that_fit_are_named) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* function : {"add", "xchg"}) {
            Request request = request_of("atomics", "global.atomics", device);
            request.memory_limit = 5000;
            Progress progress;
            const auto run = [&](std::int64_t items) {
                return engine().run(request, problem_with("atomics", calls_of(function, items, 3)), progress);
            };
            try {
                run(10'000);
                ADD_FAILURE() << function << " ran";
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
                const std::string hint = error.hint(), before = "choose at most ";
                ASSERT_TRUE(hint.starts_with(before)) << hint;
                const std::int64_t fit = std::stol(hint.substr(before.size()));
                EXPECT_GT(fit, 100);
                EXPECT_LE(run(fit).device_bytes_peak, 5000U) << function;
            }
        }
    });
}

}  // namespace
}  // namespace ks::tests::counting
