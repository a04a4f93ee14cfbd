// host.sparse: the bits of the definition, what it refuses, and when it runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/data/frame_source.h"
#include "core/run/engine.h"
#include "tests/core/run_on_host.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_sparse {
namespace {

/// @param share of counts that are not 0
template <class T>
Case<T> made(std::size_t frames, std::size_t height, std::size_t width, std::int32_t bins, double share,
             unsigned largest, unsigned seed = 3) {
    std::mt19937 random(seed);
    Case<T> given{frames, height, width, {}, {}};
    for (std::size_t i = 0; i < frames * height * width; ++i) {
        const bool filled = static_cast<double>(random()) < share * 4294967296.0;
        given.counts.push_back(filled ? static_cast<T>(1 + random() % largest) : T{0});
    }
    for (std::size_t p = 0; p < height * width; ++p)
        given.labels.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(bins + 1)));
    return given;
}

/// Values of a correlation: sums in whole numbers, then the formulas of the definition in their order.
struct Exact {
    std::vector<double> g2, error, map;
};

template <class T>
Exact exact(const Case<T>& given, std::int32_t bins) {
    const std::size_t frames = given.frames, pixels = given.height * given.width;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Exact all;
    all.map.assign(frames * frames, nan);
    for (std::int32_t label = 1; label <= bins; ++label)
        for (std::size_t delay = 0; delay < frames; ++delay) {
            std::uint64_t g = 0;
            double n = 0, ss = 0, mean = 0, squares = 0;
            for (const std::int32_t one : given.labels) n += one == label ? 1 : 0;
            std::vector<double> terms;
            for (std::size_t t = 0; t + delay < frames; ++t) {
                if (!given.uses(t) || !given.uses(t + delay)) continue;
                std::uint64_t product = 0, s1 = 0, s2 = 0;
                for (std::size_t p = 0; p < pixels; ++p) {
                    if (given.labels[p] != label) continue;
                    const auto a = static_cast<std::uint64_t>(given.counts[t * pixels + p]),
                               b = static_cast<std::uint64_t>(given.counts[(t + delay) * pixels + p]);
                    product += a * b;
                    s1 += a;
                    s2 += b;
                }
                g += product;
                const double sums = static_cast<double>(s1) * static_cast<double>(s2);
                ss += sums / n;
                if (sums == 0) continue;
                terms.push_back(n * static_cast<double>(product) / sums);
                if (given.two_time_bin == static_cast<std::size_t>(label))
                    all.map[t * frames + t + delay] = all.map[(t + delay) * frames + t] = terms.back();
            }
            const auto count = static_cast<double>(terms.size());
            for (const double c : terms) mean += c;
            mean /= count;
            for (const double c : terms) squares += (c - mean) * (c - mean);
            all.g2.push_back(ss == 0 ? nan : static_cast<double>(g) / ss);
            all.error.push_back(terms.empty() ? nan : std::sqrt(squares / count) / std::sqrt(count));
        }
    return all;
}

void expect_bits(const std::vector<double>& found, const std::vector<double>& expected, const char* what) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_TRUE(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])))
            << what << " at " << i << ": " << found[i] << ", expected " << expected[i];
}

Result run_within(const xpcs::CorrelationProblem& problem, std::uint64_t memory, unsigned threads = 2) {
    Request request;
    Progress progress;
    std::vector<Timing> timings;
    HostContext context{request, progress, timings, threads, memory};
    return host_variant("host.sparse").launch(problem, context);
}

/// Frames that do not stay in memory.
class FileFrames : public FrameSource {
  public:
    explicit FileFrames(MemoryFrames frames) : frames_(std::move(frames)) {}
    std::string name() const override { return frames_.name(); }
    std::string identity() const override { return frames_.identity(); }
    std::size_t frames() const override { return frames_.frames(); }
    std::size_t height() const override { return frames_.height(); }
    std::size_t width() const override { return frames_.width(); }
    ElementType type() const override { return frames_.type(); }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        frames_.read(first, count, into);
    }
    MemoryFrames frames_;
};

template <class T>
std::shared_ptr<xpcs::CorrelationProblem> from_file(const Case<T>& given) {
    Progress progress;
    auto source = std::make_shared<FileFrames>(
        MemoryFrames("case", Array::of<T>({given.frames, given.height, given.width}, given.counts)));
    auto scan = std::make_shared<xpcs::FrameScan>(source, io::FrameRange{0, given.frames, given.left_out}, 0,
                                                  progress);
    return std::make_shared<xpcs::CorrelationProblem>(scan,
                                                      QPartition(given.height, given.width, given.labels),
                                                      given.two_time_bin, std::nullopt, progress);
}

template <class T>
void expect_definition(const Case<T>& given, std::int32_t bins) {
    const Exact expected = exact(given, bins);
    for (const auto& problem : {given.problem(), from_file(given)}) {
        const Result found = run_within(*problem, std::uint64_t{1} << 40);
        expect_bits(found.at("g2").values.to_doubles(), expected.g2, "g2");
        expect_bits(found.at("g2_err").values.to_doubles(), expected.error, "g2_err");
        if (given.two_time_bin > 0)
            expect_bits(found.at("two_time").values.to_doubles(), expected.map, "two_time");
    }
}

TEST(XpcsSparse, has_the_bits_of_the_definition) {
    for (const double share : {0.002, 0.05, 0.6, 1.0}) {
        auto given = made<std::uint8_t>(61, 9, 13, 3, share, 3);
        given.two_time_bin = 2;
        expect_definition(given, 3);
    }
    expect_definition(made<std::uint16_t>(33, 7, 11, 2, 0.1, 60000), 2);
    expect_definition(made<std::uint32_t>(20, 5, 7, 1, 0.1, 3000000), 1);
    expect_definition(made<std::int32_t>(40, 5, 7, 2, 0.1, 5), 2);
    expect_definition(made<float>(40, 6, 9, 2, 0.1, 5), 2);
    expect_definition(made<std::uint8_t>(1, 4, 4, 1, 0.5, 5), 1);
}

TEST(XpcsSparse, frames_without_counts_and_frames_left_out) {
    auto given = made<std::uint8_t>(50, 8, 9, 2, 0.03, 2);
    given.left_out = {0, 7, 8, 49};
    given.two_time_bin = 1;
    for (std::size_t p = 0; p < 72; ++p) given.counts[20 * 72 + p] = 0;
    expect_definition(given, 2);
}

TEST(XpcsSparse, memory_and_threads_do_not_change_a_bit) {
    // The rows of all products take 4 MB, and have an eighth of the memory.
    auto given = made<std::uint8_t>(700, 12, 12, 1, 0.05, 3);
    given.two_time_bin = 1;
    const auto problem = given.problem(std::uint64_t{1} << 30);
    const Result once = run_within(*problem, std::uint64_t{1} << 40, 1);
    const Exact expected = exact(given, 1);
    expect_bits(once.at("g2_err").values.to_doubles(), expected.error, "g2_err");
    for (const unsigned threads : {1U, 3U}) {
        const Result pieces = run_within(*problem, std::uint64_t{16} << 20, threads);
        const Result tiny = run_within(*problem, std::uint64_t{8} << 20, threads);
        for (const char* name : {"g2", "g2_err", "two_time"}) {
            expect_bits(pieces.at(name).values.to_doubles(), once.at(name).values.to_doubles(), name);
            expect_bits(tiny.at(name).values.to_doubles(), once.at(name).values.to_doubles(), name);
        }
    }
    EXPECT_THROW(run_within(*problem, 1000), Error);
    // Products that are so few are computed twice, in blocks that stay in cache.
    auto few = made<std::uint8_t>(700, 12, 12, 1, 0.01, 3);
    few.two_time_bin = 1;
    expect_definition(few, 1);
}

TEST(XpcsSparse, fewer_delays_are_the_first_of_all) {
    const auto given = made<std::uint8_t>(80, 9, 9, 2, 0.1, 3);
    const auto problem = given.problem();
    problem->limit_delays(23);
    const Exact expected = exact(given, 2);
    const auto found = run_within(*problem, std::uint64_t{1} << 40).at("g2").values.to_doubles();
    ASSERT_EQ(found.size(), 46U);
    for (std::size_t i = 0; i < 46; ++i) EXPECT_EQ(found[i], expected.g2[i / 23 * 80 + i % 23]);
}

ks::Run run_of(const std::shared_ptr<const Problem>& problem, const std::string& correlator,
               const std::string& variant = {}) {
    Engine engine = host_engine();
    Request request;
    request.analysis = "xpcs";
    request.device = "host";
    request.variant = variant;
    request.parameters = {{"correlator", correlator}};
    Progress progress;
    return engine.run(request, problem, progress);
}

TEST(XpcsSparse, floats_and_negative_counts_are_refused_with_the_reason) {
    auto negative = made<float>(20, 6, 6, 1, 0.1, 3);
    auto fractions = negative;
    const std::ptrdiff_t in_bin = std::ranges::find(negative.labels, 1) - negative.labels.begin();
    ASSERT_LT(in_bin, 36);
    negative.counts[static_cast<std::size_t>(36 + in_bin)] = -1;
    fractions.counts[static_cast<std::size_t>(36 + in_bin)] = 0.5;
    for (const auto& given : {negative, fractions}) {
        const std::shared_ptr<const Problem> problem = given.problem();
        try {
            run_of(problem, "sparse", "host.sparse");
            ADD_FAILURE() << "was not refused";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("requires counts that are whole, found float"),
                      std::string::npos)
                << error.what();
        }
        EXPECT_THROW(run_of(problem, "sparse"), Error);
    }
}

TEST(XpcsSparse, runs_only_if_it_is_asked_for) {
    const std::shared_ptr<const Problem> problem =
        made<std::uint8_t>(200, 30, 30, 2, 0.001, 2).problem(std::uint64_t{1} << 30);
    EXPECT_NE(run_of(problem, "any").variant.id, "host.sparse");
    EXPECT_EQ(run_of(problem, "gram").variant.id, "host.gram");
    const ks::Run asked = run_of(problem, "sparse");
    EXPECT_EQ(asked.variant.id, "host.sparse");
    EXPECT_NE(xpcs::summary_of(asked).find(" counts other than 0\n"), std::string::npos)
        << xpcs::summary_of(asked);
}

}  // namespace
}  // namespace ks::tests::xpcs_sparse
