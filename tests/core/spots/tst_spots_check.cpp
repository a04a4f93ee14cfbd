#include "core/spots/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "core/base/error.h"
#include "core/io/open_frames.h"
#include "core/spots/results/spot_columns.h"
#include "core/spots/signal/reference_frame.h"
#include "tests/core/spots/host_run.h"
#include "tests/core/spots/spots_fixture.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

Verdict check(const SpotProblem& problem, const Run& run, CheckMode mode) {
    Progress progress;
    return check_spots(problem, run, mode, progress);
}

Array& values(Run& run, const char* name) {
    for (Dataset& dataset : run.result.datasets)
        if (dataset.name == name) return dataset.values;
    throw std::runtime_error(name);
}

/// Replaces the signal of a run.
void set_signal(Run& run, const std::vector<std::vector<std::uint32_t>>& signals) {
    for (Dataset& dataset : signal_datasets(signals)) values(run, dataset.name.c_str()) = dataset.values;
}

std::vector<std::vector<std::uint32_t>> signals_of(const Run& run, std::size_t frames) {
    std::vector<std::vector<std::uint32_t>> all;
    for (std::size_t k = 0; k < frames; ++k) {
        const auto signal = signal_of(run.result, k);
        all.emplace_back(signal.begin(), signal.end());
    }
    return all;
}

Thresholds thresholds_of(Algorithm algorithm, int kernel_x, int kernel_y) {
    Thresholds t;
    t.algorithm = algorithm;
    t.kernel_x = kernel_x;
    t.kernel_y = kernel_y;
    t.sigma_b = 3;
    return t;
}

class SpotsCheck : public testing::Test {
  protected:
    SpotsCheck() : problem(problem_of(stack_of<std::uint16_t>(scene), mask_of(scene), Thresholds{})) {}
    RandomScene scene;
    std::shared_ptr<const SpotProblem> problem;
};

}  // namespace

TEST(SpotsBands, have_the_signal_of_the_whole_image) {
    RandomScene scene;
    scene.frames = 1;
    scene.height = 203;
    scene.width = 71;
    scene.spots = 40;
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended})
        for (const auto& [kx, ky] : {std::pair(3, 3), std::pair(1, 6), std::pair(5, 2)})
            for (const char* modules : {"whole", "90,30,3,5"}) {
                const auto problem = problem_of(stack_of<std::uint16_t>(scene), mask_of(scene),
                                                thresholds_of(algorithm, kx, ky), modules);
                const auto real = problem_of(stack_of<float>(scene), mask_of(scene),
                                             thresholds_of(algorithm, kx, ky), modules);
                for (const auto& each : {problem, real}) {
                    const SignalBands reference(*each);
                    std::vector<std::byte> scratch;
                    const auto pixels = each->shared()->frame(0, scratch);
                    std::vector<std::vector<std::uint32_t>> bands;
                    for (std::size_t i = 0; i < reference.bands(); ++i)
                        bands.push_back(reference.signal(pixels, i));
                    EXPECT_GT(bands.size(), 3u);
                    const auto expected = expected_signal(*each, 0);
                    EXPECT_FALSE(expected.empty());
                    EXPECT_EQ(SignalBands::joined(bands), expected) << kx << ',' << ky << ' ' << modules;

                    std::vector<std::uint32_t> some;
                    for (std::uint32_t i = 0; i < 203 * 71; i += 3) some.push_back(i);
                    const auto at = frame_signal_at(*each, pixels, some);
                    for (std::size_t i = 0; i < some.size(); ++i)
                        ASSERT_EQ(at[i] != 0, std::ranges::binary_search(expected, some[i])) << some[i];
                }
            }
}

TEST_F(SpotsCheck, a_right_run_passes) {
    const ks::Run run = host_run(*problem);
    const Verdict full = check(*problem, run, CheckMode::full);
    EXPECT_EQ(full.state, Verdict::State::pass) << full.text;
    EXPECT_EQ(full.samples, 2u * 61 * 83);
    const Verdict sample = check(*problem, run, CheckMode::sample);
    EXPECT_EQ(sample.state, Verdict::State::sampled) << sample.text;
    EXPECT_GT(sample.samples, 1000u);
    EXPECT_EQ(check(*problem, run, CheckMode::none).state, Verdict::State::unchecked);
}

TEST_F(SpotsCheck, a_pixel_too_many_or_too_few_is_named) {
    const ks::Run right = host_run(*problem);
    const auto signals = signals_of(right, 2);
    ASSERT_FALSE(signals[1].empty());
    ks::Run run = right;
    auto less = signals;
    const std::uint32_t lost = less[1][less[1].size() / 2];
    less[1].erase(std::ranges::find(less[1], lost));
    set_signal(run, less);
    const std::string where = "frame 1, x " + std::to_string(lost % 83) + ", y " + std::to_string(lost / 83);
    for (const CheckMode mode : {CheckMode::full, CheckMode::sample}) {
        const Verdict verdict = check(*problem, run, mode);
        EXPECT_EQ(verdict.state, Verdict::State::fail);
        EXPECT_EQ(verdict.where, where) << verdict.text;
        EXPECT_EQ(verdict.place, (ks::VerdictPlace{{"frame", 1}, {"x", lost % 83}, {"y", lost / 83}}));
        EXPECT_NE(verdict.text.find("1 of "), std::string::npos) << verdict.text;
    }
    auto more = signals;
    const std::uint32_t wrong = 30 * 83 + 20;
    ASSERT_FALSE(std::ranges::binary_search(signals[0], wrong));
    more[0].insert(std::ranges::lower_bound(more[0], wrong), wrong);
    set_signal(run, more);
    const Verdict verdict = check(*problem, run, CheckMode::full);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_EQ(verdict.where, "frame 0, x 20, y 30") << verdict.text;
    EXPECT_EQ(check(*problem, run, CheckMode::sample).state, Verdict::State::fail);
}

TEST_F(SpotsCheck, a_table_that_does_not_follow_from_the_signal_fails) {
    const std::vector<std::pair<const char*, std::function<void(Array&)>>> faults{
        {"sum", [](Array& a) { a.as<double>()[0] += 1; }},
        {"x0", [](Array& a) { a.as<std::uint32_t>()[0] += 1; }},
        {"dropped", [](Array& a) { a.as<std::uint8_t>()[0] ^= 1; }},
        {"frame_spots", [](Array& a) { a.as<std::uint32_t>()[1] += 1; }},
        {"y", [](Array& a) { a = Array(ElementType::f64, {a.size() + 1}); }}};
    for (const auto& [name, spoil] : faults) {
        ks::Run run = host_run(*problem);
        spoil(values(run, name));
        const Verdict verdict = check(*problem, run, CheckMode::full);
        EXPECT_EQ(verdict.state, Verdict::State::fail) << name;
        EXPECT_NE(verdict.text.find(name), std::string::npos) << verdict.text;
    }
}

TEST_F(SpotsCheck, a_run_without_signal_or_with_offsets_that_make_no_sense_fails) {
    ks::Run run = host_run(*problem);
    values(run, "signal_offset").as<std::uint64_t>()[1] = 1'000'000'000;
    EXPECT_EQ(check(*problem, run, CheckMode::full).state, Verdict::State::fail);
    std::erase_if(run.result.datasets, [](const Dataset& d) { return d.name == "signal_pixel"; });
    EXPECT_EQ(check(*problem, run, CheckMode::full).state, Verdict::State::fail);
    EXPECT_EQ(check(*problem, run, CheckMode::sample).state, Verdict::State::fail);
}

TEST_F(SpotsCheck, can_be_cancelled) {
    const ks::Run run = host_run(*problem);
    for (const CheckMode mode : {CheckMode::full, CheckMode::sample}) {
        Progress progress;
        progress.cancel();
        try {
            check_spots(*problem, run, mode, progress);
            ADD_FAILURE() << "it went on";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::cancelled);
        }
    }
}

TEST(SpotsCheckExtended, a_right_run_passes_with_modules_and_the_extended_algorithm) {
    RandomScene scene;
    const auto problem = problem_of(stack_of<std::int32_t>(scene), mask_of(scene),
                                    thresholds_of(Algorithm::dispersion_extended, 3, 3), "30,40,1,3");
    const ks::Run run = host_run(*problem);
    EXPECT_GT(signal_of(run.result, 0).size(), 0u);
    const Verdict full = check(*problem, run, CheckMode::full);
    EXPECT_EQ(full.state, Verdict::State::pass) << full.text;
    const Verdict sample = check(*problem, run, CheckMode::sample);
    EXPECT_EQ(sample.state, Verdict::State::sampled) << sample.text;
}

TEST(HostReference, finds_the_signal_of_dials_in_the_rotation_series) {
    const std::string file = reference_data("spots_rotation.h5");
    for (const char* algorithm : {"dispersion", "dispersion_extended"}) {
        Request request;
        request.analysis = "spots";
        request.inputs["frames"] = {file + "::/entry/data/data", {}};
        request.parameters["algorithm"] = std::string(algorithm);
        Progress progress;
        const auto loaded = make_analyses().front().load(request, progress, nullptr);
        const auto& problem = dynamic_cast<const SpotProblem&>(*loaded);
        EXPECT_GT(problem.masked_pixels(), 0u);
        const ks::Run run = host_run(problem);
        const Array wanted = io::read_array(file + "::/reference/signal_" + algorithm, 3);
        const auto signal = wanted.as<std::uint8_t>();
        const std::size_t pixels = problem.height() * problem.width();
        for (std::size_t k = 0; k < problem.frames(); ++k) {
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < pixels; ++i)
                if (signal[k * pixels + i] != 0) expected.push_back(i);
            EXPECT_TRUE(std::ranges::equal(signal_of(run.result, k), expected)) << algorithm << ' ' << k;
        }
        EXPECT_GT(run.result.facts.value("frames_per_second", 0.0), 0);
        EXPECT_EQ(run.timings.size(), 3u);
    }
}
