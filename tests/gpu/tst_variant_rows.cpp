// What every row of every table of variants promises: it runs its own kernels on what it takes, and refuses
// the rest with a sentence. New rows are tested without being listed here.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/base/error.h"
#include "tests/gpu/variant_problems.h"

using namespace ks;
using namespace ks::tests;

namespace {

std::set<std::string> programs_of(const Run& run) {
    std::set<std::string> programs;
    for (const BuildLog& build : run.builds) programs.insert(build.text_hash + " " + build.options);
    return programs;
}

/// The definition of "the same": of one problem, no two variants compile the same programs.
class EveryRow : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryRow, refuses_with_a_reason_or_compiles_its_own_file) {
    const std::string analysis = GetParam();
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        std::set<std::string> ran;
        for (const auto& [name, problem] : problems_of(analysis)) {
            std::map<std::set<std::string>, std::string> seen;
            const Traits traits = engine().registry().analysis(analysis).traits(*problem);
            for (const Offer& offer : engine().offers(analysis, device, traits)) {
                const Variant& variant = offer.variant;
                if (variant.on_host() || variant.by_name_only) continue;
                SCOPED_TRACE(variant.id + " of " + analysis + ", " + name + ", on " + device.name);
                Request request = request_of(analysis, variant.id, device);
                request.check = CheckMode::full;
                Progress progress;
                if (!offer.why_not.empty()) {
                    try {
                        engine().run(request, problem, progress);
                        ADD_FAILURE() << "was to be refused: " << offer.why_not;
                    } catch (const Error& error) {
                        EXPECT_EQ(error.kind(), ErrorKind::input);
                        EXPECT_NE(std::string(error.what()).find(offer.why_not), std::string::npos)
                            << error.what();
                    }
                    continue;
                }
                const ks::Run run = engine().run(request, problem, progress);
                ran.insert(variant.id);
                EXPECT_EQ(run.variant.id, variant.id);
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
                std::set<std::string> files,
                    allowed(variant.shared_sources.begin(), variant.shared_sources.end());
                allowed.insert(variant.source_file);
                for (const BuildLog& build : run.builds) {
                    files.insert(build.source_file);
                    EXPECT_EQ(build.text_hash.size(), 16u);
                    EXPECT_FALSE(build.entry_points.empty()) << build.source_file;
                }
                // a row without kernels leaves the work to the driver, and compiles nothing
                EXPECT_EQ(files.contains(variant.source_file), !variant.entry_points.empty())
                    << "its own file was not compiled, or it has kernels that it does not name";
                for (const std::string& file : files) EXPECT_TRUE(allowed.contains(file)) << file;
                if (files.empty()) continue;
                const auto [same, fresh] = seen.emplace(programs_of(run), variant.id);
                EXPECT_TRUE(fresh) << "compiles the same programs as " << same->second;
            }
            EXPECT_FALSE(seen.empty()) << name << ": no variant takes it";
        }
        // a row that nothing here suits would not be tested at all
        for (const Offer& offer : engine().offers(analysis, device))
            if (!offer.variant.on_host() && !offer.variant.by_name_only && offer.why_not.empty()) {
                EXPECT_TRUE(ran.contains(offer.variant.id))
                    << offer.variant.id << " took none of the problems";
            }
    }
}

TEST_P(EveryRow, compiles_the_source_that_is_given_or_fails_and_names_its_file) {
    const std::string analysis = GetParam();
    const Problems problems = problems_of(analysis);
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        std::set<std::string> tried;
        for (const auto& [name, problem] : problems) {
            const Traits traits = engine().registry().analysis(analysis).traits(*problem);
            for (const Offer& offer : engine().offers(analysis, device, traits)) {
                if (!tried.insert(offer.variant.id).second) continue;
                Request request = request_of(analysis, offer.variant.id, device);
                request.kernel_source = "kernel void broken( {";
                request.kernel_file = "folder/broken.cl";
                Progress progress;
                try {
                    engine().run(request, problem, progress);
                    ADD_FAILURE() << offer.variant.id << " ran without it";
                } catch (const Error& error) {
                    const std::string text = error.what();
                    if (offer.why_not.empty()) {
                        EXPECT_NE(text.find("folder/broken.cl"), std::string::npos)
                            << offer.variant.id << text;
                    } else {
                        tried.erase(offer.variant.id);  // another problem may be one that it takes
                    }
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, EveryRow, ::testing::ValuesIn(analyses_with_rows()),
                         [](const auto& row) { return row.param; });

}  // namespace
