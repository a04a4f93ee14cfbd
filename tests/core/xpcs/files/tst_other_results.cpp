// g2 of other programs' files: curves, errors, delays, q and azimuth, and what is wrong with a file.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5_write.h"
#include "core/record/made_elsewhere.h"
#include "core/record/saved_run.h"
#include "core/run/registry.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/files/other_results.h"
#include "core/xpcs/fit_table.h"
#include "core/xpcs/g2_fit.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests::other_results {
namespace {

constexpr double gamma_1 = 3, gamma_2 = 8;  // 1/s

Array list(const std::vector<double>& values) {
    return Array::of<double>({values.size()}, values);
}

/// 1 + 0.2 exp(-2 gamma t), of two bins, [delay][bin] or [bin][delay].
std::vector<double> curves(const std::vector<double>& seconds, bool by_delay) {
    std::vector<double> all;
    const auto value = [](double gamma, double t) { return 1 + 0.2 * std::exp(-2 * gamma * t); };
    if (by_delay) {
        for (const double t : seconds)
            for (const double gamma : {gamma_1, gamma_2}) all.push_back(value(gamma, t));
    } else {
        for (const double gamma : {gamma_1, gamma_2})
            for (const double t : seconds) all.push_back(value(gamma, t));
    }
    return all;
}

class OtherResults : public IoTest {
  protected:
    static constexpr std::size_t count = 12;

    /// Delays 1, 2, 3, 4, 6, 8, 12, ... in frames of 0.005 s, of which each is the sum of two of the file.
    static std::vector<double> frames() { return {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}; }
    static std::vector<double> seconds() {
        std::vector<double> all;
        for (const double frame : frames()) all.push_back(frame * 0.01);
        return all;
    }
    static Array g2(bool by_delay) {
        return Array::of<double>(
            by_delay ? std::vector<std::size_t>{count, 2} : std::vector<std::size_t>{2, count},
            curves(seconds(), by_delay));
    }
    static Array errors(bool by_delay) {
        std::vector<double> all(2 * count, 1e-3);
        return Array::of<double>(
            by_delay ? std::vector<std::size_t>{count, 2} : std::vector<std::size_t>{2, count}, all);
    }

    /// @param of_frames number of frames that the file says; 0: it says none
    void write_aps(const std::string& leaf, std::size_t of_frames = 0) const {
        io::h5::Writer file(at(leaf), at(leaf), nullptr);
        file.array("/xpcs/multitau/normalized_g2", g2(true));
        file.array("/xpcs/multitau/normalized_g2_err", errors(true));
        // Lists are stored as columns there.
        file.array("/xpcs/multitau/delay_list", Array::of<double>({count, 1}, frames()));
        file.array("/xpcs/multitau/config/stride_frame", Array::of<std::int64_t>({}, {1}));
        file.array("/xpcs/multitau/config/avg_frame", Array::of<std::int64_t>({}, {2}));
        file.array("/entry/instrument/detector_1/frame_time", list({0.005}));
        file.array("/xpcs/qmap/dynamic_roi_map",
                   Array::of<std::int32_t>({2, 2}, std::vector<std::int32_t>{1, 2, 1, 2}));
        file.array("/xpcs/qmap/dynamic_v_list_dim0", list({0.01, 0.02, 0.03}));
        file.array("/xpcs/qmap/dynamic_v_list_dim1", list({-90, 90}));
        file.array("/xpcs/qmap/dynamic_index_mapping",
                   Array::of<std::int64_t>({2}, std::vector<std::int64_t>{1, 4}));
        file.texts("/xpcs/qmap/map_names", {"q", "phi"});
        if (of_frames > 0)
            file.array("/xpcs/spatial_mean/intensity_vs_time",
                       Array::of<double>({2, of_frames}, std::vector<double>(2 * of_frames, 1)));
        file.close();
    }

    static bool warns(const ks::Run& run, const std::string& words) {
        return std::ranges::any_of(run.result.warnings, [&words](const std::string& one) {
            return one.find(words) != std::string::npos;
        });
    }

    static xpcs::FitTable fitted_table(const ks::Run& run) {
        Progress progress;
        return xpcs::fit_table(
                   xpcs::with_fit(run,
                                  {.model = *xpcs::fit_model({{"fit", std::string("single")},
                                                              {"fit_start", std::string("none")},
                                                              {"fit_fixed", std::string("none")}})},
                                  progress))
            .value();
    }

    static std::vector<double> values(const ks::Run& run, const std::string& name) {
        return run.result.at(name).values.to_doubles();
    }

    /// The values without those of delay 0, which the files of these tests do not have.
    static std::vector<double> from_delay_1(const ks::Run& run, const std::string& name) {
        const Array& array = run.result.at(name).values;
        const std::size_t delays = array.shape().back();
        const std::vector<double> all = array.to_doubles();
        std::vector<double> rest;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i % delays > 0)
                rest.push_back(all[i]);
            else
                EXPECT_TRUE(array.rank() == 1 ? all[i] == 0 : std::isnan(all[i])) << name << " " << i;
        return rest;
    }

    static std::string refusal(const std::string& file) {
        try {
            xpcs::read_other_result(file);
        } catch (const Error& error) {
            return error.what();
        }
        return "read";
    }
};

TEST_F(OtherResults, of_aps_have_delays_of_averaged_frames_and_the_q_of_their_bins) {
    write_aps("aps.hdf");
    ASSERT_TRUE(xpcs::is_other_result(at("aps.hdf")));
    const ks::Run run = xpcs::read_other_result(at("aps.hdf"));
    EXPECT_EQ(from_delay_1(run, "g2"), curves(seconds(), false));
    EXPECT_EQ(from_delay_1(run, "delay"), frames());
    const std::vector<double> times = from_delay_1(run, "delay_time");
    for (std::size_t i = 0; i < count; ++i) EXPECT_DOUBLE_EQ(times.at(i), seconds().at(i));
    EXPECT_EQ(values(run, "q"), (std::vector<double>{0.01, 0.03}));
    EXPECT_EQ(values(run, "phi"), (std::vector<double>{90, -90}));
    EXPECT_EQ(made_elsewhere(run), "APS 8-ID");
}

TEST_F(OtherResults, of_aps_are_fitted_with_rates_per_second) {
    write_aps("aps.hdf");
    const xpcs::FitTable table = fitted_table(xpcs::read_other_result(at("aps.hdf")));
    EXPECT_NEAR(table.of("gamma", 0).first, gamma_1, 1e-6);
    EXPECT_NEAR(table.of("gamma", 1).first, gamma_2, 1e-6);
    EXPECT_GT(table.of("gamma", 0).second, 0);
    EXPECT_EQ(table.unit_of_t, "s");
}

// Delays of single frames and of sums of 2, 4, 8 and 16, of 128 frames: counted by hand.
TEST_F(OtherResults, know_the_pairs_of_multi_tau) {
    write_aps("levels.h5", 128);
    const ks::Run run = xpcs::read_other_result(at("levels.h5"));
    EXPECT_EQ(run.result.at("delay_pairs").values.to_doubles(),
              (std::vector<double>{128, 127, 126, 125, 124, 61, 60, 29, 28, 13, 12, 5, 4}));
    const xpcs::CurvesToFit curves = xpcs::curves_of(run, {});
    EXPECT_TRUE(curves.has_pairs(10));
    EXPECT_FALSE(curves.has_pairs(11));
    EXPECT_FALSE(warns(run, "how many frames"));
}

// The errors of two or three pairs may be tiny by accident: such delays outweighed all others.
TEST_F(OtherResults, of_few_pairs_of_frames_are_not_fitted) {
    constexpr std::size_t frames = 60, delays = frames - 1;
    constexpr std::size_t dark = 7;  // left out
    std::vector<double> list_of_delays, g2, errors, over_time(2 * frames, 1);
    over_time[frames + dark] = std::nan("");
    std::vector<double> pairs{frames - 1};
    for (std::size_t delay = 1; delay <= delays; ++delay) {
        const bool few = frames - delay < 12;
        list_of_delays.push_back(static_cast<double>(delay));
        for (const double gamma : {gamma_1, gamma_2}) {
            g2.push_back(few ? 1.3 : 1 + 0.2 * std::exp(-2 * gamma * static_cast<double>(delay) * 0.01));
            errors.push_back(few ? 1e-8 : 1e-3);
        }
        std::size_t n = 0;
        for (std::size_t t = 0; t + delay < frames; ++t) n += t != dark && t + delay != dark ? 1 : 0;
        pairs.push_back(static_cast<double>(n));
    }
    // both of 10 and 11 pairs are counted
    for (const std::size_t delay : {frames - 11, frames - 10})
        for (const std::size_t bin : {0u, 1u}) {
            g2[2 * (delay - 1) + bin] =
                1 + 0.2 * std::exp(-2 * (bin == 0 ? gamma_1 : gamma_2) * static_cast<double>(delay) * 0.01);
            errors[2 * (delay - 1) + bin] = 1e-3;
        }
    const auto write = [&](const char* leaf, bool intensities) {
        io::h5::Writer file(at(leaf), at(leaf), nullptr);
        file.array("/xpcs/multitau/normalized_g2", Array::of<double>({delays, 2}, g2));
        file.array("/xpcs/multitau/normalized_g2_err", Array::of<double>({delays, 2}, errors));
        file.array("/xpcs/multitau/delay_list", list(list_of_delays));
        file.array("/entry/instrument/detector_1/frame_time", list({0.01}));
        if (intensities)
            file.array("/xpcs/spatial_mean/intensity_vs_time", Array::of<double>({2, frames}, over_time));
        file.close();
    };
    write("known.h5", true);
    write("unknown.h5", false);
    const ks::Run known = xpcs::read_other_result(at("known.h5")),
                  unknown = xpcs::read_other_result(at("unknown.h5"));
    EXPECT_EQ(known.result.at("delay_pairs").values.to_doubles(), pairs);
    EXPECT_TRUE(warns(unknown, "how many frames"));
    EXPECT_EQ(unknown.result.at("delay_pairs").values.to_doubles()[delays], 1);
    for (const ks::Run* run : {&known, &unknown}) {
        const xpcs::FitTable table = fitted_table(*run);
        EXPECT_NEAR(table.of("gamma", 0).first, gamma_1, 1e-6);
        EXPECT_NEAR(table.of("gamma", 1).first, gamma_2, 1e-6);
    }
}

TEST_F(OtherResults, of_aps_of_earlier_years_are_read) {
    io::h5::Writer file(at("old.hdf"), at("old.hdf"), nullptr);
    file.array("/exchange/norm-0-g2", g2(true));
    file.array("/exchange/norm-0-stderr", errors(true));
    file.array("/exchange/tau", Array::of<double>({1, count}, frames()));
    file.array("/xpcs/dqlist", Array::of<double>({1, 2}, std::vector<double>{0.004, 0.008}));
    file.array("/measurement/instrument/detector/exposure_period",
               Array::of<double>({1, 1}, std::vector<double>{0.01}));
    file.close();
    const ks::Run run = xpcs::read_other_result(at("old.hdf"));
    EXPECT_EQ(from_delay_1(run, "g2"), curves(seconds(), false));
    EXPECT_EQ(values(run, "q"), (std::vector<double>{0.004, 0.008}));
    EXPECT_DOUBLE_EQ(values(run, "delay_time").back(), 0.64);
}

TEST_F(OtherResults, of_esrf_have_their_directions_as_bins_one_after_the_other) {
    io::h5::Writer file(at("esrf.h5"), at("esrf.h5"), nullptr);
    for (const std::string name : {"a", "b", "c"}) {
        const std::string group = "/entry_0000/correlations/" + name;
        std::vector<double> lag = seconds();
        if (name == "c") lag.back() = 0.7;
        file.array(group + "/g2/cf", g2(false));
        file.array(group + "/g2/err", errors(false));
        file.array(group + "/g2/lag", list(lag));
        file.array(group + "/parameters/q", list({0.5, 2}), "nm^-1");
    }
    file.close();
    const ks::Run run = xpcs::read_other_result(at("esrf.h5"));
    std::vector<double> both = curves(seconds(), false);
    const std::vector<double> again = both;
    both.insert(both.end(), again.begin(), again.end());
    EXPECT_EQ(from_delay_1(run, "g2"), both);
    EXPECT_EQ(values(run, "q"), (std::vector<double>{0.05, 0.2, 0.05, 0.2}));
    const std::vector<double> delays = from_delay_1(run, "delay"), times = from_delay_1(run, "delay_time");
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(delays.at(i), frames().at(i));
        EXPECT_NEAR(times.at(i), seconds().at(i), 1e-15);
    }
    ASSERT_EQ(run.result.warnings.size(), 4U);
    EXPECT_TRUE(warns(run, "how many frames it is from: 65, "));
    EXPECT_EQ(run.result.warnings.at(2),
              "the correlations c are left out, because their delays or errors are others than those of the "
              "first one");
}

TEST_F(OtherResults, of_earlier_versions_of_esrf_have_q_in_the_middle_of_their_range) {
    io::h5::Writer file(at("old.h5"), at("old.h5"), nullptr);
    const std::string group = "/entry_0000/dynamix/correlations/directions/1";
    file.array(group + "/correlation/cf", g2(true));
    file.array(group + "/correlation/timeshift", Array::of<double>({count, 1}, seconds()));
    file.array(group + "/q_index", Array::of<std::int32_t>({2}, std::vector<std::int32_t>{2, 1}));
    file.array("/entry_0000/dynamix/correlations/q_index_min_max",
               Array::of<double>({2, 3}, std::vector<double>{1, 0.1, 0.3, 2, 0.3, 0.7}));
    file.close();
    const ks::Run run = xpcs::read_other_result(at("old.h5"));
    EXPECT_EQ(from_delay_1(run, "g2"), curves(seconds(), false));
    EXPECT_EQ(values(run, "q"), (std::vector<double>{0.5, 0.2}));
    EXPECT_EQ(run.result.warnings.front(), "the file gives no unit of q: 1/angstrom is assumed");
    // Without errors there is no fit, which would have no weights.
    EXPECT_FALSE(run.variant.computes("g2_err"));
    EXPECT_TRUE(std::isnan(values(run, "g2_err").front()));
}

TEST_F(OtherResults, are_opened_described_and_saved_as_runs_that_cannot_be_repeated) {
    write_aps("aps.hdf");
    const Registry registry;
    ASSERT_TRUE(holds_result(registry, at("aps.hdf")));
    const ks::Run run = open_run(registry, at("aps.hdf"));
    EXPECT_NE(describe_run(registry, run).find("in the layout of APS 8-ID"), std::string::npos);
    try {
        repeated_request(registry, run, at("aps.hdf"), {});
        ADD_FAILURE() << "it can be repeated";
    } catch (const Error& error) {
        EXPECT_EQ(error.message(),
                  "a result in the layout of APS 8-ID does not say what it was computed from, so that it "
                  "cannot be repeated");
    }
    Progress progress;
    registry.analysis("xpcs").save(run, at("ours.h5"), false, progress);
    const ks::Run again = open_run(registry, at("ours.h5"));
    EXPECT_EQ(made_elsewhere(again), "APS 8-ID");
    EXPECT_EQ(from_delay_1(again, "g2"), from_delay_1(run, "g2"));
}

TEST_F(OtherResults, other_files_are_none) {
    io::h5::Writer file(at("x.h5"), at("x.h5"), nullptr);
    file.array("/xpcs/qmap/mask", list({1, 2}));
    file.close();
    EXPECT_FALSE(xpcs::is_other_result(at("x.h5")));
    EXPECT_FALSE(xpcs::is_other_result(at("absent.h5")));
    EXPECT_FALSE(xpcs::is_other_result(at("")));
    std::ofstream(at("text.h5")) << "no HDF5";
    EXPECT_FALSE(xpcs::is_other_result(at("text.h5")));
}

TEST_F(OtherResults, damaged_ones_are_refused_with_the_object) {
    const auto written = [this](const std::string& leaf, const Array& delays, const Array& values,
                                const std::vector<double>& time) {
        io::h5::Writer file(at(leaf), at(leaf), nullptr);
        file.array("/xpcs/multitau/normalized_g2", values);
        if (!delays.shape().empty()) file.array("/xpcs/multitau/delay_list", delays);
        if (!time.empty()) file.array("/entry/instrument/detector_1/frame_time", list(time));
        file.close();
        return refusal(at(leaf));
    };
    const auto contains = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    std::vector<double> unsorted = frames();
    unsorted.back() = 3;
    contains(written("a.h5", list(unsorted), g2(true), {}),
             "expected ascending delays of at least 0, found 3 after 48");
    std::vector<double> nan = frames();
    nan.front() = std::numeric_limits<double>::quiet_NaN();
    contains(written("b.h5", list(nan), g2(true), {}), "found nan after the start");
    contains(written("c.h5", list(frames()), g2(false), {}),
             "expected [delay, bin] as /xpcs/multitau/delay_list has 12 delays, found [2, 12]");
    contains(written("d.h5", list(frames()), g2(true), {0}), "expected a time above 0 s, found 0");
    contains(written("e.h5", list(frames()), g2(true), {1, 2}), "expected a number, found 2 numbers");
    contains(written("f.h5", Array(), g2(true), {}), "delay_list");
    contains(written("g.h5", Array::of<double>({3, 4}, frames()), g2(true), {}),
             "expected a list of numbers, found [3, 4]");
}

}  // namespace
}  // namespace ks::tests::other_results
