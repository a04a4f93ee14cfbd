// How often the true g2 of synthetic speckle is within one and two errors, for each way to compute errors.
// The numbers that are printed are those of docs/dev/numerics.md.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "core/data/partition/q_partition.h"
#include "core/xpcs/generator.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::coverage {
namespace {

using xpcs::ErrorMethod;
using xpcs::Estimator;

struct Share {
    double values = 0, one = 0, two = 0;
    void add(double deviation, double error) {
        ++values;
        one += deviation <= error ? 1 : 0;
        two += deviation <= 2 * error ? 1 : 0;
    }
    double within_one() const { return 100 * one / values; }
    double within_two() const { return 100 * two / values; }
};

/// As `generate xpcs --kind diffusion --frames 300 --height 121 --width 121 --seed N --diffusion D` has them.
xpcs::SyntheticFrames diffusion(std::uint64_t seed, double coefficient) {
    xpcs::SyntheticSpec spec;
    spec.frames = 300;
    spec.height = spec.width = 121;
    spec.ring_width = 10;
    spec.seed = seed;
    spec.mean = 10;
    spec.contrast = 0.2;
    spec.diffusion = coefficient;
    spec.frame_time = 0.001;
    spec.geometry = true;
    Progress progress;
    return xpcs::make_speckle_frames(spec, progress);
}

/// Shares per method, over all bins of the seeds and some delays.
std::map<ErrorMethod, Share> shares(Estimator estimator, double coefficient, std::size_t seeds) {
    std::map<ErrorMethod, Share> all;
    Progress progress;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        xpcs::SyntheticFrames made = diffusion(seed, coefficient);
        const std::vector<double> gamma = made.gamma;
        const QPartition partition = QPartition::from_array(made.labels, "labels");
        const auto problem = std::make_shared<xpcs::CorrelationProblem>(
            std::make_shared<MemoryFrames>("speckle", std::move(made.stack)), partition, 0, 300, 0,
            std::nullopt, std::numeric_limits<std::uint64_t>::max(), progress);
        problem->limit_delays(101);
        for (const ErrorMethod errors :
             {ErrorMethod::published, ErrorMethod::pixels, ErrorMethod::bootstrap, ErrorMethod::jackknife}) {
            problem->estimate = {estimator, errors};
            const Result result = run_host(host_variant("host.pairs"), *problem);
            const std::vector<double> g2 = result.at("g2").values.to_doubles(),
                                      error = result.at("g2_err").values.to_doubles();
            for (std::size_t bin = 0; bin < gamma.size(); ++bin)
                for (const std::size_t delay : {1, 2, 5, 10, 20, 50, 100}) {
                    if (partition.bin_size(bin) < 100) continue;
                    const double truth = 1 + 0.2 * std::exp(-2 * gamma[bin] * static_cast<double>(delay));
                    all[errors].add(std::abs(g2[bin * 101 + delay] - truth), error[bin * 101 + delay]);
                }
        }
    }
    return all;
}

std::map<ErrorMethod, Share> printed_shares(Estimator estimator, double coefficient, std::size_t seeds) {
    const std::map<ErrorMethod, Share> found = shares(estimator, coefficient, seeds);
    for (const auto& [errors, share] : found)
        std::printf("D %.1e, %s, %s: %.0f values, %.1f %% within one error, %.1f %% within two\n",
                    coefficient, name_of(estimator), name_of(errors), share.values, share.within_one(),
                    share.within_two());
    return found;
}

void expect_to_hold(const Share& share) {
    EXPECT_GE(share.within_one(), 60);
    EXPECT_LE(share.within_one(), 76);
    EXPECT_GE(share.within_two(), 89);
}

// 1 / gamma is 30 to 900 frames, in a series of 300.
TEST(Coverage, errors_over_pixels_hold_and_those_over_time_are_too_small_for_a_slow_sample) {
    for (const Estimator estimator : {Estimator::ratio, Estimator::mean_of_ratios, Estimator::symmetric}) {
        SCOPED_TRACE(name_of(estimator));
        const auto found = printed_shares(estimator, 2.5e6, 10);
        expect_to_hold(found.at(ErrorMethod::pixels));
        expect_to_hold(found.at(ErrorMethod::jackknife));
        EXPECT_LT(found.at(ErrorMethod::published).within_one(), 30);
        EXPECT_LT(found.at(ErrorMethod::bootstrap).within_one(), 60);
    }
}

// 1 / gamma is 0.8 to 22 frames.
TEST(Coverage, blocks_in_time_are_better_for_a_fast_sample) {
    const auto found = printed_shares(Estimator::ratio, 1e8, 10);
    expect_to_hold(found.at(ErrorMethod::pixels));
    expect_to_hold(found.at(ErrorMethod::jackknife));
    EXPECT_GT(found.at(ErrorMethod::bootstrap).within_one(), found.at(ErrorMethod::published).within_one());
}

}  // namespace
}  // namespace ks::tests::coverage
