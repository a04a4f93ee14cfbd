// Every correlator of the program, on the host and on every OpenCL device that is found, against a direct
// loop.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <random>

#include "core/run/engine.h"
#include "core/run/user/shown_variant.h"
#include "core/xpcs/problem.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/xpcs/launch.h"
#include "tests/gpu/variant_table.h"
#include "tests/gpu/xpcs/direct_oracle.h"

namespace {

ks::Engine& engine() {
    static ks::Engine* made = [] {
        auto registry = std::make_shared<const ks::Registry>();
        std::vector<std::unique_ptr<ks::Backend>> backends;
        backends.push_back(ks::gpu::make_opencl_backend());
        backends.push_back(std::make_unique<ks::HostBackend>(registry->host_variants()));
        return new ks::Engine(registry, std::move(backends));
    }();
    return *made;
}

/// The one that chooses how tiles are multiplied.
std::string tiled() {
    return ks::tests::ids_of(
               ks::gpu::xpcs::cl_variants(),
               [](const ks::Variant& variant) { return ks::tests::has_define(variant, "PRODUCT"); })
        .front();
}

/// A stack, its labels, and how large the counts are.
struct Case {
    std::string name;
    ks::ElementType type;
    std::size_t frames, height, width;
    std::vector<std::int32_t> labels;
    std::vector<double> counts;  ///< [frame][pixel]
    std::vector<std::size_t> left_out = {};
};

Case make_case(const std::string& name, ks::ElementType type, std::size_t frames, std::size_t height,
               std::size_t width, double low, double high,
               const std::function<std::int32_t(std::size_t)>& label_of) {
    Case made{name, type, frames, height, width, {}, {}, {}};
    for (std::size_t p = 0; p < height * width; ++p) made.labels.push_back(label_of(p));
    std::mt19937 random(7);
    for (std::size_t t = 0; t < frames; ++t)
        for (std::size_t p = 0; p < height * width; ++p) {
            const double u = static_cast<double>(random()) / 4294967296.0;
            const double wave =
                0.5 + 0.5 * std::sin(0.3 * static_cast<double>(t) + static_cast<double>(p % 11));
            made.counts.push_back(std::floor(low + (high - low + 0.999) * u * wave));
        }
    return made;
}

ks::Array stack_of(const Case& c) {
    return ks::visit_element(c.type, [&](auto zero) {
        using T = decltype(zero);
        std::vector<T> values;
        for (const double count : c.counts) values.push_back(static_cast<T>(count));
        return ks::Array::of<T>({c.frames, c.height, c.width}, values);
    });
}

std::vector<Case> cases() {
    const auto stripes = [](std::size_t p) { return static_cast<std::int32_t>(p % 5); };
    const auto gaps = [](std::size_t p) {
        constexpr std::int32_t used[] = {0, 2, 5, 5, 9};  // 1, 3, 4, 6, 7, 8 stay empty
        return used[p % 5];
    };
    const auto one = [](std::size_t) { return 1; };
    std::vector<Case> all;
    all.push_back(make_case("u8, small counts, odd sizes", ks::ElementType::u8, 131, 17, 23, 0, 20, stripes));
    all.push_back(make_case("u8, counts 200 to 255", ks::ElementType::u8, 67, 13, 31, 200, 255, stripes));
    all.push_back(make_case("u8, gaps and empty bins", ks::ElementType::u8, 65, 19, 21, 0, 9, gaps));
    all.push_back(make_case("u16, counts up to 65535", ks::ElementType::u16, 70, 16, 16, 0, 65535, stripes));
    all.push_back(make_case("u16, counts up to 3000", ks::ElementType::u16, 64, 16, 19, 0, 3000, stripes));
    all.push_back(
        make_case("i32, counts up to 100000", ks::ElementType::i32, 40, 11, 13, 0, 100000, stripes));
    all.push_back(make_case("i64, small counts", ks::ElementType::i64, 33, 11, 13, 0, 50, stripes));
    all.push_back(make_case("one bin of 65536 pixels", ks::ElementType::u8, 9, 256, 256, 0, 40, one));
    Case saturated =
        make_case("saturated u16 on 90000 pixels of one bin", ks::ElementType::u16, 5, 300, 300, 0, 1, one);
    for (double& count : saturated.counts) count = 65535;
    all.push_back(saturated);
    Case empty = make_case("empty frames", ks::ElementType::u8, 75, 15, 15, 0, 12, stripes);
    for (const std::size_t t : {0ul, 7ul, 8ul, 40ul, 74ul})
        for (std::size_t p = 0; p < 225; ++p) empty.counts[t * 225 + p] = 0;
    all.push_back(empty);
    Case dark = make_case("a bin without any count", ks::ElementType::u8, 20, 10, 10, 0, 12, stripes);
    for (std::size_t i = 0; i < dark.counts.size(); ++i)
        if (dark.labels[i % 100] == 3) dark.counts[i] = 0;
    all.push_back(dark);
    all.push_back(make_case("one frame", ks::ElementType::u8, 1, 10, 10, 0, 12, stripes));
    all.push_back(make_case("two frames", ks::ElementType::u16, 2, 10, 10, 0, 500, stripes));
    Case fractions = make_case("f32 with fractions", ks::ElementType::f32, 66, 12, 14, 0, 50, stripes);
    for (double& count : fractions.counts) count = static_cast<double>(static_cast<float>(count * 0.37));
    all.push_back(fractions);
    // Their sums are above 0 in most frames, and below in some.
    Case negative = fractions;
    negative.name = "f32 with negative values";
    for (double& count : negative.counts) count = static_cast<double>(static_cast<float>(count - 2.5));
    for (std::size_t p = 0; p < 168; ++p) negative.counts[9 * 168 + p] = -negative.counts[9 * 168 + p];
    all.push_back(negative);
    // What they hold must not matter: it is all that the type can hold.
    Case without = make_case("u8 without some frames", ks::ElementType::u8, 70, 15, 15, 0, 12, stripes);
    without.left_out = {0, 7, 8, 9, 63, 64, 69};
    for (const std::size_t t : without.left_out)
        std::fill_n(without.counts.begin() + static_cast<std::ptrdiff_t>(t * 225), 225, 255.0);
    all.push_back(without);
    Case reals = negative;
    reals.name = "f32 without some frames";
    reals.left_out = {3, 4, 40, 65};
    for (const std::size_t t : reals.left_out)
        std::fill_n(reals.counts.begin() + static_cast<std::ptrdiff_t>(t * 168), 168,
                    std::numeric_limits<double>::quiet_NaN());
    all.push_back(reals);
    return all;
}

/// @param delays 0: all
std::shared_ptr<const ks::Problem> problem_of(const Case& c, std::size_t delays = 0,
                                              std::size_t map_bin = 0) {
    ks::Progress progress;
    const ks::QPartition partition(c.height, c.width, c.labels);
    auto scan = std::make_shared<ks::xpcs::FrameScan>(std::make_shared<ks::MemoryFrames>(c.name, stack_of(c)),
                                                      ks::io::FrameRange{0, c.frames, c.left_out}, 1u << 30,
                                                      progress);
    auto problem =
        std::make_shared<ks::xpcs::CorrelationProblem>(scan, partition, map_bin, std::nullopt, progress);
    if (delays > 0) problem->limit_delays(delays);
    return problem;
}

/// |a - b| within `relative` of the truth; below `floor` both count as zero.
void expect_close(double truth, double found, double relative, double floor, const std::string& where) {
    if (std::isnan(truth) || std::isnan(found)) {
        EXPECT_EQ(std::isnan(truth), std::isnan(found)) << where << ": " << truth << " and " << found;
        return;
    }
    EXPECT_LE(std::abs(found - truth), relative * std::abs(truth) + floor)
        << where << ": " << truth << " and " << found;
}

double tolerance(const ks::Variant& variant, const std::string& name, double usual) {
    for (const auto& [dataset, value] : variant.tolerances)
        if (dataset == name) return value;
    return usual;
}

void compare(const Case& c, const ks::Run& run) {
    if (run.result.facts.contains("averaging")) return;  // sums of frames, which its check knows
    const DirectOracle oracle{c.frames, c.height * c.width, c.counts, c.labels, c.left_out};
    const std::size_t bins = run.result.at("g2").values.shape()[0],
                      delays = run.result.at("g2").values.shape()[1];
    const auto g2 = run.result.at("g2").values.as<double>(),
               err = run.result.at("g2_err").values.as<double>();
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const auto truth = oracle.bin(static_cast<std::int32_t>(bin) + 1);
        for (std::size_t tau = 0; tau < delays; ++tau) {
            const std::string where = c.name + ", " + run.variant.id + ", bin " + std::to_string(bin + 1) +
                                      ", delay " + std::to_string(tau);
            const std::size_t at = bin * delays + tau;
            // the error is compared absolutely where all terms are equal: what is left is rounding of C,
            // about 1e-16
            expect_close(truth[tau].g2, g2[at], tolerance(run.variant, "g2", 1e-6), 0, where + ", g2");
            if (!run.variant.computes("g2_err")) {
                EXPECT_TRUE(std::isnan(err[at])) << where;
                continue;
            }
            expect_close(truth[tau].err, err[at], tolerance(run.variant, "g2_err", 1e-5),
                         run.variant.tolerances.empty() ? 1e-12 : 1e-7, where + ", g2_err");
            if (::testing::Test::HasFailure()) return;
        }
    }
}

ks::Run run_on(const ks::DeviceInfo& device, const std::string& variant, const Case& c,
               const std::map<std::string, std::string>& defines = {}, const std::string& source = {}) {
    ks::Request request;
    request.analysis = "xpcs";
    request.variant = variant;
    request.device = device.index < 0 ? "host" : std::to_string(device.index);
    request.defines = defines;
    request.kernel_source = source;
    ks::Progress progress;
    return engine().run(request, problem_of(c), progress);
}

/// The variants that run on the device and take the case.
std::vector<ks::Offer> usable(const ks::DeviceInfo& device, const Case& c) {
    const ks::Traits traits = engine().registry().analysis("xpcs").traits(*problem_of(c));
    std::vector<ks::Offer> all = engine().offers("xpcs", device, traits);
    std::erase_if(all, [&](const ks::Offer& offer) {
        return !offer.why_not.empty() || (offer.variant.on_host() && device.index >= 0);
    });
    return all;
}

class EveryCase : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryCase, every_usable_variant_agrees_with_the_direct_loop) {
    const Case c = cases()[GetParam()];
    for (const ks::DeviceInfo& device : engine().devices())
        for (const ks::Offer& offer : usable(device, c)) compare(c, run_on(device, offer.variant.id, c));
}

TEST_P(EveryCase, every_way_of_multiplying_tiles_agrees_with_the_direct_loop) {
    const Case c = cases()[GetParam()];
    const bool floats = c.type == ks::ElementType::f32;
    std::vector<std::map<std::string, std::string>> ways{
        {{"PRODUCT", "vector"}},
        {{"PRODUCT", "vector"}, {"TILE", "16"}, {"VW", "16"}, {"RM", "2"}, {"RN", "4"}},
        {{"PRODUCT", "vector"}, {"TILE", "32"}, {"WG", "64"}, {"VW", "4"}},  // shared tiles, as on a GPU
        {{"TILE", "32"}}};
    if (!floats) ways.push_back({{"FP64", "0"}});
    if (!floats) ways.push_back({{"FP64", "0"}, {"TILE", "32"}, {"WG", "64"}, {"PRODUCT", "vector"}});
    for (const ks::DeviceInfo& device : engine().devices())
        for (const auto& way : ways)
            if (device.index >= 0) compare(c, run_on(device, tiled(), c, way));
}

/// A device names the reason where it does not know a way.
TEST_P(EveryCase, every_way_that_a_device_knows_agrees_with_the_direct_loop) {
    const Case c = cases()[GetParam()];
    for (const ks::DeviceInfo& device : engine().devices())
        for (const std::string& way : std::vector<std::string>{"avx2", "vnni", "mma", "dp4a", "wgmma"}) {
            if (device.index < 0) continue;
            try {
                compare(c, run_on(device, tiled(), c, {{"PRODUCT", way}}));
            } catch (const ks::Error& error) {
                EXPECT_NE(std::string(error.what()).find("PRODUCT=" + way + " does not work here"),
                          std::string::npos)
                    << error.what();
            }
        }
}

/// PRODUCT has words for the numbers that the program compares: both are taken where a value is given, a
/// #define of the text has the number, and what was compiled is shown in words.
TEST(GramProducts, its_word_and_its_number_are_the_same_value) {
    const Case c = cases().front();
    const std::string shipped = ks::tests::row_of(ks::gpu::xpcs::cl_variants(), tiled()).info.source;
    const auto compiled = [&](const ks::Run& run) { return ks::compiled_defines(run).at("PRODUCT"); };
    for (const ks::DeviceInfo& device : engine().devices()) {
        if (device.index < 0) continue;
        for (const char* given : {"vector", "0"}) {
            const ks::Run run = run_on(device, tiled(), c, {{"PRODUCT", given}});
            EXPECT_EQ(compiled(run), "vector");
            EXPECT_EQ(run.request.defines.at("PRODUCT"), "vector");
        }
        const ks::Run own = run_on(device, tiled(), c, {}, "#define PRODUCT 0\n" + shipped);
        EXPECT_EQ(compiled(own), "vector");
        const ks::Run both =
            run_on(device, tiled(), c, {{"PRODUCT", "vector"}}, "#define PRODUCT 1\n" + shipped);
        EXPECT_EQ(compiled(both), "vector");
        try {
            run_on(device, tiled(), c, {}, "#define PRODUCT avx2\n" + shipped);
            ADD_FAILURE() << "taken";
        } catch (const ks::Error& error) {
            EXPECT_NE(error.message().find("expected the number 1 for avx2"), std::string::npos)
                << error.what();
        }
        EXPECT_THROW(run_on(device, tiled(), c, {{"PRODUCT", "6"}}), ks::Error);
    }
}

/// The rows with one product: what gram.tiled says it chose is what a row of its own says, with the same
/// bits.
TEST(GramProducts, each_runs_where_the_device_has_it_and_names_the_reason_elsewhere) {
    const Case small = cases().front();
    Case large = small;
    large.type = ks::ElementType::u16;
    ASSERT_GT(large.labels[1], 0);
    large.counts[1] = 40000;
    for (const ks::DeviceInfo& device : engine().devices()) {
        if (device.index < 0) continue;
        const ks::Run chosen = run_on(device, tiled(), small);
        std::size_t same = 0, products = 0;
        for (const ks::Offer& offer : engine().offers("xpcs", device)) {
            const ks::Variant& variant = offer.variant;
            if (variant.id == tiled() || !variant.id.starts_with("gram.")) continue;
            SCOPED_TRACE(variant.id);
            ++products;
            EXPECT_FALSE(ks::tests::has_define(variant, "PRODUCT"));
            if (!offer.why_not.empty()) {
                EXPECT_TRUE(offer.why_not.starts_with(device.name + " has no ") ||
                            offer.why_not.starts_with(device.name + " does not "))
                    << offer.why_not;
                EXPECT_THROW(run_on(device, variant.id, small), ks::Error);
                continue;
            }
            const ks::Run run = run_on(device, variant.id, small);
            EXPECT_TRUE(run.result.at("g2").values == chosen.result.at("g2").values);
            same += run.result.facts.at("product") == chosen.result.facts.at("product") ? 1 : 0;
            if (!ks::tests::depends_on(variant, "counts")) continue;
            try {
                run_on(device, variant.id, large);
                ADD_FAILURE() << "took counts up to 40000";
            } catch (const ks::Error& error) {
                const std::string text = error.what();
                EXPECT_TRUE(text.find("requires a largest count of at most 32767, found 40000") !=
                                std::string::npos ||
                            text.find("requires counts of type u8, found u16") != std::string::npos)
                    << text;
            }
        }
        EXPECT_EQ(products, 5U);
        EXPECT_EQ(same, 1U) << "one row has the product that was chosen";
    }
}

/// Counts over 255 as several bytes: with 1000 frames, groups multiply 2 x 2 tiles, and with the largest
/// counts, sums of products are added up several times.
TEST(GramProducts, counts_of_two_bytes_have_the_same_bits_by_tensor_cores_and_by_vectors) {
    const auto rings = [](std::size_t p) { return static_cast<std::int32_t>(p % 3); };
    const auto one = [](std::size_t) { return 1; };
    for (const Case& c :
         {make_case("up to 16383", ks::ElementType::u16, 90, 20, 31, 0, 16383, rings),
          make_case("up to 65535", ks::ElementType::u16, 90, 20, 31, 0, 65535, rings),
          make_case("1000 frames", ks::ElementType::u16, 1000, 7, 13, 0, 3000, rings),
          make_case("many pixels up to 16383", ks::ElementType::u16, 3, 300, 300, 16000, 16383, one),
          make_case("many pixels up to 65535", ks::ElementType::u16, 3, 300, 300, 65000, 65535, one)})
        for (const ks::DeviceInfo& device : engine().devices()) {
            if (device.index < 0) continue;
            for (const std::string way : {"mma", "wgmma"}) {
                SCOPED_TRACE(c.name + ", " + device.name + ", " + way);
                try {
                    const ks::Run tensor = run_on(device, tiled(), c, {{"PRODUCT", way}});
                    const ks::Run vector = run_on(device, tiled(), c, {{"PRODUCT", "vector"}, {"WG", "128"}});
                    EXPECT_EQ(tensor.result.facts.at("product"), way);
                    EXPECT_NE(run_on(device, tiled(), c).result.facts.at("product"), "vector");
                    for (const char* name : {"g2", "g2_err"})
                        EXPECT_TRUE(tensor.result.at(name).values == vector.result.at(name).values) << name;
                } catch (const ks::Error& error) {
                    EXPECT_NE(error.message().find("PRODUCT=" + way + " does not work here"),
                              std::string::npos)
                        << error.what();
                }
            }
        }
}

TEST(FewerDelays, every_usable_variant_gives_the_same_first_values) {
    const Case c = cases()[0];
    for (const std::size_t delays :
         {std::size_t{1}, std::size_t{2}, std::size_t{17}, c.frames - 1, c.frames + 9})
        for (const ks::DeviceInfo& device : engine().devices())
            for (const ks::Offer& offer : usable(device, c)) {
                ks::Request request;
                request.analysis = "xpcs";
                request.variant = offer.variant.id;
                request.device = device.index < 0 ? "host" : std::to_string(device.index);
                if (ks::tests::has_define(offer.variant, "PRODUCT"))
                    request.defines = {{"TILE", "16"}, {"PRODUCT", "vector"}};
                request.check = ks::CheckMode::full;
                ks::Progress progress;
                const ks::Run run = engine().run(request, problem_of(c, delays, 3), progress);
                if (!run.result.facts.contains("averaging")) {
                    EXPECT_EQ(run.result.at("g2").values.shape()[1], std::min(delays, c.frames));
                }
                EXPECT_EQ(run.verdict.state, ks::Verdict::State::pass) << run.verdict.text;
                compare(c, run);
                const ks::Dataset* map = run.result.find("two_time");
                if (map == nullptr) continue;
                for (std::size_t t1 = 0; t1 < c.frames; ++t1)
                    for (std::size_t t2 = t1; t2 < c.frames; ++t2) {
                        const double value = map->values.as<double>()[t1 * c.frames + t2];
                        ASSERT_EQ(std::isnan(value), t2 - t1 >= delays)
                            << offer.variant.id << " " << t1 << " " << t2;
                    }
            }
}

INSTANTIATE_TEST_SUITE_P(xpcs, EveryCase, ::testing::Range<std::size_t>(0, cases().size()));

TEST(TwoTime, the_map_of_a_bin_is_n_g_over_s_s_and_symmetric) {
    const Case c = cases()[0];
    ks::Progress progress;
    const auto problem = std::make_shared<ks::xpcs::CorrelationProblem>(
        std::make_shared<ks::MemoryFrames>(c.name, stack_of(c)), ks::QPartition(c.height, c.width, c.labels),
        0, c.frames, 3, std::nullopt, 1u << 30, progress);
    const DirectOracle oracle{c.frames, c.height * c.width, c.counts, c.labels};
    const auto chosen = oracle.pixels_of(3);
    for (const std::map<std::string, std::string>& way :
         {std::map<std::string, std::string>{}, {{"FP64", "0"}}, {{"TILE", "16"}, {"PRODUCT", "vector"}}}) {
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = tiled();
        request.defines = way;
        if (engine().devices().front().index < 0) GTEST_SKIP() << "no OpenCL device";
        const ks::Run run = engine().run(request, problem, progress);
        const auto map = run.result.at("two_time").values.as<double>();
        for (std::size_t t1 = 0; t1 < c.frames; t1 += 13)
            for (std::size_t t2 = 0; t2 < c.frames; ++t2) {
                double g = 0, s1 = 0, s2 = 0;
                for (const std::size_t p : chosen) {
                    g += oracle.counts[t1 * oracle.pixels + p] * oracle.counts[t2 * oracle.pixels + p];
                    s1 += oracle.counts[t1 * oracle.pixels + p];
                    s2 += oracle.counts[t2 * oracle.pixels + p];
                }
                const double truth = g * static_cast<double>(chosen.size()) / (s1 * s2);
                EXPECT_NEAR(map[t1 * c.frames + t2], truth, 1e-12 * truth);
                EXPECT_EQ(map[t1 * c.frames + t2], map[t2 * c.frames + t1]);
            }
    }
}

TEST(TwoTime, rows_and_columns_of_frames_that_are_left_out_are_nan) {
    if (engine().devices().front().index < 0) GTEST_SKIP() << "no OpenCL device";
    const std::vector<Case> all = cases();
    const Case& c = *std::ranges::find(all, "u8 without some frames", &Case::name);
    const auto left_out = [&](std::size_t t) { return std::ranges::count(c.left_out, t) > 0; };
    for (const std::map<std::string, std::string>& way :
         {std::map<std::string, std::string>{}, {{"FP64", "0"}}}) {
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = tiled();
        request.defines = way;
        ks::Progress progress;
        const ks::Run run = engine().run(request, problem_of(c, 0, 3), progress);
        const auto map = run.result.at("two_time").values.as<double>();
        for (std::size_t t1 = 0; t1 < c.frames; ++t1)
            for (std::size_t t2 = 0; t2 < c.frames; ++t2)
                ASSERT_EQ(std::isnan(map[t1 * c.frames + t2]), left_out(t1) || left_out(t2))
                    << t1 << ", " << t2;
    }
}

TEST(Defines, a_value_that_the_kernel_was_not_written_for_is_refused) {
    if (engine().devices().front().index < 0) GTEST_SKIP() << "no OpenCL device";
    const Case c = cases()[11];
    const ks::DeviceInfo device = engine().devices().front();
    EXPECT_THROW(run_on(device, tiled(), c, {{"TILE", "48"}}), ks::Error);
    EXPECT_THROW(run_on(device, tiled(), c, {{"NOSUCH", "1"}}), ks::Error);
}

}  // namespace
