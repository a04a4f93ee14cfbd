// Buffers of every kind give the right values, and what a READ_ONLY buffer did is told.

#include "core/basics/buffers/buffers.h"
#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::kinds_of_buffers {
namespace {

ParameterSet small(std::int64_t elements) {
    return {{"elements", elements}, {"repeats", std::int64_t{2}}};
}

TEST(Buffers, of_all_nine_kinds_are_right_at_any_size) {
    on_each_device([](const DeviceInfo& device) {
        for (const std::int64_t elements : {1, 3, 1000, 4097}) {
            const ks::Run run = run_with("buffers", "every.kind", device, small(elements));
            EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
            for (const char* column : {"create", "kernel", "to_host"})
                for (const double time : run.result.at(column).values.as<double>()) EXPECT_GE(time, 0);
            const std::string told = text_of(run.result.at("read_only"));
            EXPECT_TRUE(told.starts_with("The standard leaves this undefined.") && told.ends_with('.'))
                << told;
            const std::string kinds = text_of(run.result.at("kinds"));
            EXPECT_NE(kinds.find("WRITE_ONLY | USE_HOST_PTR"), std::string::npos) << kinds;
        }
    });
}

TEST(Buffers, that_lack_a_value_fail_the_check) {
    on_each_device([](const DeviceInfo& device) {
        ks::Run run = run_with("buffers", "every.kind", device, small(10));
        for (Dataset& dataset : run.result.datasets)
            if (dataset.name == "correct") dataset.values.as<std::uint32_t>()[8] = 9;
        Progress progress;
        const Verdict verdict = engine().registry().analysis("buffers").check(
            *problem_with("buffers", small(10)), run, CheckMode::full, progress);
        EXPECT_EQ(verdict.text, "fail: values are wrong in 1 of 9 kinds of buffers");
    });
}

TEST(Buffers, over_the_memory_limit_are_refused) {
    on_each_device([](const DeviceInfo& device) {
        Request request = request_of("buffers", "every.kind", device);
        request.memory_limit = 1199;
        Progress progress;
        try {
            engine().run(request, problem_with("buffers", small(100)), progress);
            ADD_FAILURE() << "it ran";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            EXPECT_NE(std::string(error.what()).find("fewer elements"), std::string::npos) << error.what();
        }
    });
}

TEST(Buffers, are_all_memory_of_the_device) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("buffers", "every.kind", device, small(100));
        EXPECT_EQ(run.device_bytes_peak, 3U * 100 * sizeof(float));
    });
}

TEST(Buffers, that_other_runs_keep_are_not_counted) {
    on_each_device([](const DeviceInfo& device) {
        engine().forget();
        const std::uint64_t small_run =
            run_with("vector_add", "seed.add", device, {{"size", std::int64_t{100}}}).device_bytes_peak;
        const std::uint64_t large_run =
            run_with("dot", "two_stages", device, {{"size", std::int64_t{100000}}}).device_bytes_peak;
        EXPECT_GE(large_run, 2U * 100000 * sizeof(float));
        EXPECT_EQ(run_with("vector_add", "seed.add", device, {{"size", std::int64_t{100}}}).device_bytes_peak,
                  small_run);
        // What a run finds again counts as its own.
        const std::uint64_t again =
            run_with("dot", "two_stages", device, {{"size", std::int64_t{100000}}}).device_bytes_peak;
        EXPECT_EQ(again, large_run);
    });
}

TEST(Buffers, count_the_values_that_are_right) {
    basics::BuffersProblem problem;
    problem.values = {1, -2, 0.5F};
    EXPECT_EQ(basics::right_values(problem, std::vector<float>{2, -4, 1}), 3U);
    EXPECT_EQ(basics::right_values(problem, std::vector<float>{2, 4, 0.5F}), 1U);
}

}  // namespace
}  // namespace ks::tests::kinds_of_buffers
