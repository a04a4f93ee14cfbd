// Guarded runs: a kernel that writes outside its buffers is named with the argument and the place, the next
// run works as usual, and what comes with the program leaves every zone as it is.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "core/base/error.h"
#include "tests/gpu/variant_problems.h"

namespace guarded_runs {

using namespace ks;
using namespace ks::tests;

/// On each OpenCL device.
void on_devices(const std::function<void(const DeviceInfo&)>& look) {
    for (const DeviceInfo& device : engine().devices())
        if (device.type != "host") look(device);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    if (at != std::string::npos) text.replace(at, what.size(), by);
    return text;
}

class EveryGuardedRow : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryGuardedRow, gives_the_same_result_and_leaves_the_zones_alone) {
    const std::string analysis = GetParam();
    on_devices([&](const DeviceInfo& device) {
        std::set<std::string> ran;
        for (const auto& [name, problem] : problems_of(analysis)) {
            const Traits traits = engine().registry().analysis(analysis).traits(*problem);
            for (const Offer& offer : engine().offers(analysis, device, traits)) {
                if (offer.variant.on_host() || offer.variant.by_name_only || !offer.why_not.empty()) continue;
                if (!ran.insert(offer.variant.id).second) continue;
                SCOPED_TRACE(offer.variant.id + " of " + analysis + ", " + name + ", on " + device.name);
                Request request = request_of(analysis, offer.variant.id, device);
                request.check = CheckMode::full;
                request.guarded = true;
                Progress progress;
                try {
                    const ks::Run run = engine().run(request, problem, progress);
                    EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
                } catch (const Error& error) {
                    // What a device has no room or no format for, it refuses unguarded as well.
                    ASSERT_EQ(error.kind(), ErrorKind::input) << error.what();
                    request.guarded = false;
                    EXPECT_THROW(engine().run(request, problem, progress), Error) << error.what();
                }
            }
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Tables, EveryGuardedRow, ::testing::ValuesIn(analyses_with_rows()),
                         [](const auto& row) { return row.param; });

/// The published correlator of xpcs with one mistake.
class PlantedKernel : public ::testing::Test {
  protected:
    static constexpr const char* file = "gpu/xpcs/seed_naive.cl";

    /// What a run of it says; empty where nothing is found.
    std::string said_of(const DeviceInfo& device, const std::string& source, bool guarded = true) const {
        Request request = request_of("xpcs", "seed.naive", device);
        request.kernel_source = source;
        request.kernel_file = "mine.cl";
        request.guarded = guarded;
        try {
            Progress progress;
            engine().run(request, problem, progress);
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::run) << error.what();
            return error.what();
        }
    }
    /// Where each work-item has written its value, it does this as well.
    std::string with(const std::string& statement) const {
        return replaced(original, "g2_err[at] = terms", statement + "\n    g2_err[at] = terms");
    }
    void expect_next_run(const DeviceInfo& device) const {
        for (const bool guarded : {false, true}) {
            Request request = request_of("xpcs", "seed.naive", device);
            request.check = CheckMode::full;
            request.guarded = guarded;
            Progress progress;
            EXPECT_EQ(engine().run(request, problem, progress).verdict.state, Verdict::State::pass);
        }
    }

    std::shared_ptr<const Problem> problem = problems_of("xpcs").front().second;
    std::string original = engine().kernel_files().at(file);
};

TEST_F(PlantedKernel, one_element_before_the_begin_is_named) {
    on_devices([&](const DeviceInfo& device) {
        const std::string said = said_of(device, with("if (at == 0) g2[-1] = 0.5;"));
        EXPECT_NE(said.find("the kernel correlate wrote at least 8 bytes, 8 bytes before the beginning of "
                            "its argument 3 `g2`"),
                  std::string::npos)
            << said;
        EXPECT_NE(said.find("xpcs, variant seed.naive, stage correlate"), std::string::npos) << said;
        expect_next_run(device);
    });
}

TEST_F(PlantedKernel, one_element_behind_the_end_is_named) {
    on_devices([&](const DeviceInfo& device) {
        Progress progress;
        const ks::Run right = engine().run(request_of("xpcs", "seed.naive", device), problem, progress);
        const std::size_t bytes = right.result.at("g2").values.bytes().size();
        const std::string last = std::to_string(bytes / sizeof(double) - 1);
        const std::string said = said_of(device, with("if (at == " + last + ") g2_err[at + 1] = 0.5;"));
        EXPECT_NE(said.find("wrote at least 8 bytes right past the end of its argument 4 `g2_err` (" +
                            std::to_string(bytes) + " bytes)"),
                  std::string::npos)
            << said;
        expect_next_run(device);
    });
}

TEST_F(PlantedKernel, a_value_read_past_one_buffer_and_written_past_another_is_named) {
    on_devices([&](const DeviceInfo& device) {
        Progress progress;
        const ks::Run right = engine().run(request_of("xpcs", "seed.naive", device), problem, progress);
        const std::size_t bytes = right.result.at("g2").values.bytes().size();
        const std::string last = std::to_string(bytes / sizeof(double) - 1);
        const std::string said =
            said_of(device, with("if (at == " + last + ") g2_err[at + 1] = g2[at + 1];"));
        EXPECT_NE(said.find("wrote at least 8 bytes right past the end of its argument 4 `g2_err`"),
                  std::string::npos)
            << said;
        expect_next_run(device);
    });
}

TEST_F(PlantedKernel, a_write_into_an_input_that_stays_on_the_device_does_no_harm_to_the_next_run) {
    on_devices([&](const DeviceInfo& device) {
        expect_next_run(device);
        const std::string writes =
            with("if (at == 0) ((global SRC*)frames)[-1] = 3; ((global SRC*)frames)[at] = 77;");
        EXPECT_NE(said_of(device, writes).find("before the beginning of its argument 0 `frames`"),
                  std::string::npos);
        expect_next_run(device);
    });
}

TEST_F(PlantedKernel, what_nobody_wrote_is_no_likely_value) {
    on_devices([&](const DeviceInfo& device) {
        Request request = request_of("xpcs", "seed.naive", device);
        request.kernel_source = replaced(original, "g2[at] = ss_sum", "if (at != 3) g2[at] = ss_sum");
        request.guarded = true;
        request.check = CheckMode::full;
        Progress progress;
        const Verdict verdict = engine().run(request, problem, progress).verdict;
        EXPECT_EQ(verdict.state, Verdict::State::fail);
        EXPECT_NE(verdict.where.find("delay 3"), std::string::npos) << verdict.where << verdict.text;
    });
}

TEST_F(PlantedKernel, the_names_of_kernels_are_told_while_they_run) {
    on_devices([&](const DeviceInfo& device) {
        std::vector<std::string> stages;
        Progress progress([&](double, const std::string& stage) { stages.push_back(stage); });
        Request request = request_of("xpcs", "seed.naive", device);
        engine().run(request, problem, progress);
        EXPECT_EQ(std::ranges::count(stages, "kernel correlate"), 0) << "nobody asks for it";
        request.kernel_source = original;
        engine().run(request, problem, progress);
        EXPECT_EQ(std::ranges::count(stages, "kernel correlate"), 1);
        EXPECT_EQ(stages.back(), "run") << "it has ended";
    });
}

}  // namespace guarded_runs
