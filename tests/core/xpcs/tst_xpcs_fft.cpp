// host.fft beyond what every host variant is tested for: many frames, exact sums, and what it refuses.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/run/engine.h"
#include "core/xpcs/analysis.h"
#include "tests/core/run_on_host.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_fft {
namespace {

/// The same bits with a NaN of any kind.
void expect_same_bits(const Result& a, const Result& b) {
    const auto x = a.at("g2").values.to_doubles(), y = b.at("g2").values.to_doubles();
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!std::isnan(x[i]) || !std::isnan(y[i])) {
            ASSERT_EQ(x[i], y[i]) << i;
        }
}

template <class T, class Draw>
Case<T> scattered(std::size_t frames, std::size_t height, std::size_t width, std::int32_t bins,
                  const Draw& draw) {
    std::mt19937 random(11);
    Case<T> made{frames, height, width, {}, {}};
    for (std::size_t i = 0; i < frames * height * width; ++i) made.counts.push_back(draw(random));
    for (std::size_t i = 0; i < height * width; ++i)
        made.labels.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(bins + 1)));
    return made;
}

/// g2 of one bin by a plain loop over pixels and times.
double plain_g2(const Case<std::uint16_t>& given, std::int32_t label, std::size_t delay) {
    const std::size_t pixels = given.height * given.width;
    long double g = 0, ss = 0, n = 0;
    for (std::size_t p = 0; p < pixels; ++p) n += given.labels[p] == label ? 1 : 0;
    for (std::size_t t = 0; t + delay < given.frames; ++t) {
        if (!given.uses(t) || !given.uses(t + delay)) continue;
        std::uint64_t s1 = 0, s2 = 0;
        for (std::size_t p = 0; p < pixels; ++p) {
            if (given.labels[p] != label) continue;
            const std::uint64_t a = given.counts[t * pixels + p], b = given.counts[(t + delay) * pixels + p];
            g += static_cast<long double>(a * b);
            s1 += a;
            s2 += b;
        }
        ss += static_cast<long double>(s1) * static_cast<long double>(s2) / n;
    }
    return ss == 0 ? std::nan("") : static_cast<double>(g / ss);
}

TEST(XpcsFft, thousands_of_frames_are_within_1e_9_of_the_definition_at_every_delay) {
    // More than 4096, where sums of frames are correlated by transforms as well.
    auto given = scattered<std::uint16_t>(4500, 3, 3, 2, [](auto& random) {
        return static_cast<std::uint16_t>(random() % 4 == 0 ? random() % 50 : 0);
    });
    given.left_out = {0, 17, 18, 4000};
    for (std::size_t t = 0; t < given.frames; ++t)  // light for the first third only
        if (t >= 1500)
            for (std::size_t p = 0; p < 9; ++p) given.counts[t * 9 + p] = 0;
    const Result result = run_host(host_variant("host.fft"), *given.problem());
    const auto g2 = result.at("g2").values.to_doubles();
    std::size_t undefined = 0;
    for (std::int32_t label = 1; label <= 2; ++label)
        for (std::size_t delay = 0; delay < given.frames; ++delay) {
            const double expected = plain_g2(given, label, delay),
                         found = g2[static_cast<std::size_t>(label - 1) * given.frames + delay];
            ASSERT_EQ(std::isnan(found), std::isnan(expected)) << label << ", " << delay;
            if (std::isnan(expected)) {
                ++undefined;
                continue;
            }
            ASSERT_NEAR(found, expected, 1e-9 * expected) << label << ", " << delay;
        }
    EXPECT_GE(undefined, 2U * 3000);
}

TEST(XpcsFft, whole_sums_are_exact_where_the_bound_shows_it_and_only_there) {
    const auto small = scattered<std::uint8_t>(
        70, 20, 20, 3, [](auto& random) { return static_cast<std::uint8_t>(random()); });
    Result result = run_host(host_variant("host.fft"), *small.problem());
    EXPECT_EQ(result.facts.at("exact_sums"), true);
    const Expected expected = direct(small);
    const auto g2 = result.at("g2").values.to_doubles();
    for (std::size_t i = 0; i < g2.size(); ++i) EXPECT_NEAR(g2[i], expected.g2[i], 4e-16 * expected.g2[i]);
    const auto large = scattered<std::uint32_t>(
        70, 20, 20, 3, [](auto& random) { return static_cast<std::uint32_t>(random() >> 8); });
    result = run_host(host_variant("host.fft"), *large.problem());
    EXPECT_EQ(result.facts.at("exact_sums"), false);
    const auto reals =
        scattered<float>(70, 20, 20, 3, [](auto& random) { return static_cast<float>(random() % 9) + 0.5F; });
    EXPECT_EQ(run_host(host_variant("host.fft"), *reals.problem()).facts.at("exact_sums"), false);
}

TEST(XpcsFft, neither_threads_nor_where_the_frames_are_change_a_bit) {
    const auto counts = scattered<std::uint16_t>(
        90, 90, 70, 4, [](auto& random) { return static_cast<std::uint16_t>(random() % 300); });
    const auto reals = scattered<float>(
        40, 90, 70, 2, [](auto& random) { return static_cast<float>(random() % 999) * 0.37F - 20; });
    const auto expect_same = [](const auto& given) {
        const auto from_file = given.problem(0), in_memory = given.problem(std::uint64_t{1} << 30);
        ASSERT_FALSE(in_memory->resident().empty());
        const Result one = run_host(host_variant("host.fft"), *in_memory, 1);
        for (const unsigned threads : {2U, 3U, 7U})
            expect_same_bits(run_host(host_variant("host.fft"), *in_memory, threads), one);
        expect_same_bits(run_host(host_variant("host.fft"), *from_file, 2), one);
    };
    expect_same(counts);
    expect_same(reals);
}

TEST(XpcsFft, a_longest_delay_leaves_the_others_as_they_are) {
    const auto given = scattered<std::uint8_t>(
        100, 20, 20, 2, [](auto& random) { return static_cast<std::uint8_t>(random() % 6); });
    const auto all = given.problem(), some = given.problem();
    some->limit_delays(9);
    const auto g2 = run_host(host_variant("host.fft"), *some).at("g2").values.to_doubles(),
               of_all = run_host(host_variant("host.fft"), *all).at("g2").values.to_doubles();
    ASSERT_EQ(g2.size(), 18U);
    for (std::size_t i = 0; i < 18; ++i) EXPECT_EQ(g2[i], of_all[i / 9 * 100 + i % 9]);
}

ks::Run run_of(const ParameterSet& parameters, const std::string& variant, std::size_t two_time_bin = 0) {
    auto given = scattered<std::uint8_t>(
        30, 9, 9, 2, [](auto& random) { return static_cast<std::uint8_t>(random() % 6); });
    given.two_time_bin = two_time_bin;
    Request request;
    request.analysis = "xpcs";
    request.parameters = parameters;
    request.variant = variant;
    request.device = "host";
    Progress progress;
    return host_engine().run(request, given.problem(), progress);
}

TEST(XpcsFft, the_correlator_chooses_the_default_variant_of_its_family) {
    EXPECT_EQ(run_of({}, "").variant.id, "host.gram");
    EXPECT_EQ(run_of({{"correlator", std::string("gram")}}, "").variant.id, "host.gram");
    EXPECT_EQ(run_of({{"correlator", std::string("fft")}}, "").variant.id, "host.fft");
    EXPECT_EQ(run_of({}, "host.fft").variant.id, "host.fft");
    try {
        run_of({{"correlator", std::string("fft")}}, "host.gram");
        ADD_FAILURE() << "host.gram is not of the family fft";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("host.gram requires the correlator any or gram, found fft"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_THROW(run_of({{"correlator", std::string("fourier")}}, ""), Error);
}

TEST(XpcsFft, a_map_needs_another_variant_and_the_summary_says_that_there_is_no_error) {
    const ParameterSet with_map{{"two_time_bin", std::int64_t{2}}};
    EXPECT_THROW(run_of(with_map, "host.fft", 2), Error);
    EXPECT_EQ(run_of(with_map, "", 2).variant.id, "host.gram");
    const ks::Run run = run_of({}, "host.fft");
    EXPECT_NE(xpcs::summary_of(run).find("no error: host.fft computes only the mean"), std::string::npos);
    EXPECT_EQ(xpcs::summary_of(run_of({}, "host.gram")).find("no error"), std::string::npos);
}

TEST(XpcsFft, a_fit_without_errors_of_g2_takes_its_weights_from_groups_of_pixels) {
    std::mt19937 random(5);
    std::poisson_distribution<int> counts(4);
    Case<std::uint8_t> given{300, 20, 20, {}, std::vector<std::int32_t>(400, 1)};
    for (std::size_t t = 0; t < 300; ++t)  // intensities that forget each other
        for (std::size_t p = 0; p < 400; ++p)
            given.counts.push_back(static_cast<std::uint8_t>(counts(random)));
    for (std::size_t p = 0; p < 400; ++p)
        for (std::size_t t = 1; t < 300; ++t)
            if (random() % 10 < 8) given.counts[t * 400 + p] = given.counts[(t - 1) * 400 + p];
    Request request;
    request.analysis = "xpcs";
    request.parameters["fit"] = std::string("single");
    request.device = "host";
    Progress progress;
    std::vector<double> gamma;
    for (const char* variant : {"host.gram", "host.fft"}) {
        request.variant = variant;
        const ks::Run run = host_engine().run(request, given.problem(), progress);
        ASSERT_EQ(run.result.facts.at("fit").at("bins").at(0).at("status"), "converged") << variant;
        gamma.push_back(run.result.facts.at("fit").at("bins").at(0).at("values").at("gamma").get<double>());
    }
    // A count stays with 0.8 per frame, so g2 - 1 decays as 0.8^t = exp(-2 gamma t).
    for (const double found : gamma) EXPECT_NEAR(found, -std::log(0.8) / 2, 0.03);
}

}  // namespace
}  // namespace ks::tests::xpcs_fft
