#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "core/run/host_backend.h"
#include "core/run/registry.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

/// Host variants under a limit of memory.
class MemoryLimit : public IoTest {
  protected:
    static Request request(const std::string& analysis, std::map<std::string, InputRef> inputs) {
        Request made;
        made.analysis = analysis;
        made.parameters = checked(registry().analysis(analysis).info().parameters, {});
        made.inputs = std::move(inputs);
        return made;
    }
    static const Registry& registry() {
        static const Registry the_one;
        return the_one;
    }
    /// All host variants of an analysis under a limit; the first one's result.
    Result run(Request wanted, std::uint64_t limit, const std::string& variant) {
        wanted.memory_limit = limit;
        const auto problem = registry().analysis(wanted.analysis).load(wanted, quiet, nullptr);
        for (const HostVariant& row : registry().host_variants()) {
            if (row.info.analysis != wanted.analysis || row.info.id != variant) continue;
            std::vector<Timing> timings;
            HostContext context{wanted, quiet, timings, 2, limit};
            return row.launch(*problem, context);
        }
        throw std::runtime_error("no variant " + variant);
    }
    static std::vector<std::string> variants(const std::string& analysis) {
        std::vector<std::string> ids;
        for (const HostVariant& row : registry().host_variants())
            if (row.info.analysis == analysis) ids.push_back(row.info.id);
        return ids;
    }
    void expect_refused(const Request& wanted, std::uint64_t limit, const std::string& in_words) {
        for (const std::string& variant : variants(wanted.analysis))
            EXPECT_TRUE(contains(input_error([&] { run(wanted, limit, variant); }),
                                 {"needs ", " for ", "but the limit is " + in_words, "--memory-limit"}))
                << variant;
    }
    void expect_runs(const Request& wanted, std::uint64_t limit) {
        for (const std::string& variant : variants(wanted.analysis)) {
            const Result free = run(wanted, std::uint64_t{1} << 40, variant);
            const Result bound = run(wanted, limit, variant);
            ASSERT_EQ(free.datasets.size(), bound.datasets.size()) << variant;
            for (std::size_t i = 0; i < free.datasets.size(); ++i)
                EXPECT_TRUE(
                    std::ranges::equal(free.datasets[i].values.bytes(), bound.datasets[i].values.bytes()))
                    << variant << " " << free.datasets[i].name;
        }
    }
};

TEST_F(MemoryLimit, ClustersNameTheirNeed) {
    std::string text = "index,module,x,y,adc\n";
    for (int i = 0; i < 500; ++i) text += fmt::format("{},{},{},{},5\n", i, i / 100, i % 10, i / 10 % 10);
    write_bytes(at("d.csv"), text);
    const Request wanted = request("clusters", {{"digis", {at("d.csv")}}});
    expect_refused(wanted, 4096, "4.0 KiB");
    expect_runs(wanted, 100'000);
}

TEST_F(MemoryLimit, ParticlesNameTheirNeed) {
    std::string text = "x,y,z,weight\n";
    for (int i = 0; i < 100; ++i) text += fmt::format("{},{},{},1\n", 0.01 * i, 0.02 * i, 0.005 * i);
    write_bytes(at("p.csv"), text);
    const Request wanted = request("particles", {{"sources", {at("p.csv")}}, {"targets", {at("p.csv")}}});
    expect_refused(wanted, 4096, "4.0 KiB");
    expect_runs(wanted, 100'000);
}

TEST_F(MemoryLimit, SpotsHoldFewerFramesAtOnceOrNameTheirNeed) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/data", {6, 100, 100}, {}, {}, 977);
    }
    const Request wanted = request("spots", {{"frames", {at("f.h5")}}});
    expect_refused(wanted, 20'000, "19.5 KiB");  // one frame
    expect_runs(wanted, 35'000);                 // a frame and its mask, not two
    expect_runs(wanted, 1'000'000);              // all frames stay
}

TEST_F(MemoryLimit, XpcsCountsTheFramesThatStay) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/data", {20, 100, 100}, {}, {}, 1);
    }
    Request wanted = request("xpcs", {{"frames", {at("f.h5")}}, {"partition", {"rings:50,50,0,20,3"}}});
    // 400 kB of frames and twice or more of counts
    expect_refused(wanted, 700'000, "683.6 KiB");
    expect_runs(wanted, 8'000'000);
}

}  // namespace
}  // namespace ks::tests
