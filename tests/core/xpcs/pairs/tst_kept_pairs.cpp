// Pairs that a run keeps: in its result, in its file, and read back from there.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/io/files/temporary_folder.h"
#include "core/run/run.h"
#include "core/xpcs/pairs/curves.h"
#include "core/xpcs/pairs/kept_pairs.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::kept_pairs {
namespace {

constexpr std::size_t frames = 13, height = 5, width = 8, pixels = height * width;

template <class T>
Case<T> made(double scale) {
    Case<T> given{frames, height, width, {}, {}};
    std::mt19937 random(8);
    for (std::size_t i = 0; i < frames * pixels; ++i)
        given.counts.push_back(static_cast<T>(scale * static_cast<double>(random() % 50)));
    // Bin 2 has no pixels.
    for (std::size_t p = 0; p < pixels; ++p) given.labels.push_back(p % 3 == 0 ? 0 : p % 3 == 1 ? 1 : 3);
    given.left_out = {4};
    return given;
}

template <class T>
ks::Run run_of(const Case<T>& given, std::size_t delays = frames) {
    const auto problem = given.problem();
    problem->keep_pairs = true;
    problem->limit_delays(delays);
    ks::Run run;
    run.request.analysis = "xpcs";
    run.variant = host_variant("host.pairs").info;
    run.result = run_host(host_variant("host.pairs"), *problem);
    Progress progress;
    for (const CheckMode mode : {CheckMode::sample, CheckMode::full})
        EXPECT_NE(xpcs::check_correlation(*problem, run, mode, progress).state, Verdict::State::fail);
    // A pair that is wrong is found: all of them are, since which are compared is not known here.
    ks::Run wrong = run;
    for (Dataset& dataset : wrong.result.datasets)
        if (dataset.name == "pairs") {
            Array other(dataset.values.type(), dataset.values.shape());
            dataset.values = other;
        }
    EXPECT_EQ(xpcs::check_correlation(*problem, wrong, CheckMode::full, progress).state,
              Verdict::State::fail);
    return run;
}

template <class T>
void expect_pairs(const Case<T>& given, const xpcs::KeptPairs& kept, std::size_t delays) {
    ASSERT_EQ(kept.bins.size(), 3U);
    ASSERT_EQ(kept.used.size(), frames);
    EXPECT_EQ(kept.bins[1].pixels(), 0U);
    for (const std::size_t bin : {std::size_t{0}, std::size_t{2}})
        for (std::size_t t = 0; t < frames; ++t) {
            EXPECT_EQ(kept.used[t], given.uses(t));
            EXPECT_EQ(kept.bins[bin].delays(), delays);
            for (std::size_t delay = 0; delay < std::min(delays, frames - t); ++delay) {
                double product = 0, sum = 0;
                for (std::size_t p = 0; p < pixels; ++p) {
                    if (given.labels[p] != static_cast<std::int32_t>(bin + 1)) continue;
                    const double a = given.counts[t * pixels + p], b = given.counts[(t + delay) * pixels + p];
                    if (given.uses(t)) sum += a;
                    if (given.uses(t) && given.uses(t + delay)) product += a * b;
                }
                EXPECT_NEAR(kept.bins[bin].product(t, delay), product, 1e-12 * std::abs(product));
                EXPECT_NEAR(kept.bins[bin].sum(t), sum, 1e-12 * std::abs(sum));
            }
        }
}

TEST(KeptPairs, are_those_of_the_frames_in_the_result_and_in_its_file) {
    const io::TemporaryFolder folder("kernelscope-pairs");
    Progress progress;
    const auto expect_kept = [&](const auto& given, ElementType type, std::size_t delays) {
        const ks::Run run = run_of(given, delays);
        EXPECT_EQ(run.result.at("pairs").values.type(), type);
        expect_pairs(given, xpcs::pairs_in(run.result), delays);
        const auto file = folder.path() / "run.h5";
        xpcs::write_nxxpcs(run, file, true, progress);
        const ks::Run read = xpcs::read_nxxpcs(file);
        EXPECT_EQ(read.result.at("pairs").values.type(), type);
        const xpcs::KeptPairs kept = xpcs::pairs_in(read.result);
        expect_pairs(given, kept, delays);
        // g2 of the run follows from the file, to the bit.
        const std::vector<double> g2 = read.result.at("g2").values.to_doubles();
        const std::vector<double> found =
            xpcs::g2_of({&kept.bins[2], 1}, xpcs::Estimator::ratio, kept.used, delays, {2, progress});
        for (std::size_t delay = 0; delay < delays; ++delay)
            EXPECT_TRUE(found[delay] == g2[2 * delays + delay] ||
                        (std::isnan(found[delay]) && std::isnan(g2[2 * delays + delay])));
    };
    expect_kept(made<std::uint16_t>(1), ElementType::u32, frames);
    expect_kept(made<std::uint16_t>(1), ElementType::u32, 5);
    expect_kept(made<std::uint16_t>(1300), ElementType::u64, frames);
    expect_kept(made<float>(0.37), ElementType::f64, frames);
}

TEST(KeptPairs, a_run_without_them_has_none_and_other_variants_refuse) {
    const auto problem = made<std::uint16_t>(1).problem();
    EXPECT_TRUE(xpcs::pairs_in(run_host(host_variant("host.pairs"), *problem)).bins.empty());
    problem->keep_pairs = true;
    EXPECT_THROW(run_host(host_variant("host.gram"), *problem), Error);
    EXPECT_FALSE(xpcs::units_of(*problem).shareable());
}

TEST(KeptPairs, stored_pairs_of_other_shapes_are_refused) {
    const Result good = run_of(made<std::uint16_t>(1)).result;
    const auto with = [&good](const char* name, const Array& values) {
        Result changed = good;
        for (Dataset& dataset : changed.datasets)
            if (dataset.name == name) dataset.values = values;
        return changed;
    };
    EXPECT_THROW(xpcs::pairs_in(with("pairs", Array(ElementType::u32, {3, 17}))), Error);
    EXPECT_THROW(xpcs::pairs_in(with("pairs", Array(ElementType::u32, {2, 91}))), Error);
    EXPECT_THROW(xpcs::pairs_in(with("pairs", Array(ElementType::f64, {3, 91}))), Error);
    EXPECT_THROW(xpcs::pairs_in(with("pairs", Array(ElementType::u32, {3}))), Error);
    EXPECT_THROW(xpcs::pairs_in(with("pair_sums", Array(ElementType::u64, {3, 12}))), Error);
    EXPECT_THROW(xpcs::pairs_in(with("pair_used", Array(ElementType::u8, {0}))), Error);
    EXPECT_THROW(xpcs::pairs_in(with("pair_pixels", Array(ElementType::i64, {4}))), Error);
}

}  // namespace
}  // namespace ks::tests::kept_pairs
