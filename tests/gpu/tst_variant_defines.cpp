// Every define of every row of every table of variants, at the ends of what is allowed: it runs and is right,
// or is refused with a sentence. New rows and defines are tested without being listed here.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/run/user/shown_variant.h"
#include "tests/gpu/variant_problems.h"

using namespace ks;
using namespace ks::tests;

namespace {

class EveryDefine : public ::testing::TestWithParam<std::string> {};

/// The programs of a variant of spots use the same names for definitions of their own: each value is reported
/// as the one that was given. Launches of other analyses may adapt values to the problem.
void expect_reported(const ks::Run& run) {
    if (run.request.analysis != "spots") return;
    const std::map<std::string, std::string> compiled = compiled_defines(run);
    for (const auto& [name, value] : run.request.defines) {
        const auto told = compiled.find(name);
        if (told != compiled.end()) {
            EXPECT_EQ(told->second, value) << name;
        }
    }
    if (!run.request.defines.contains("DECIDE_WG")) return;
    for (const DefineSpec& define : run.variant.defines)
        EXPECT_TRUE(compiled.contains(define.name)) << define.name;
}

void expect_right(const Request& request, const std::shared_ptr<const Problem>& problem, bool by_default) {
    Progress progress;
    try {
        const ks::Run run = engine().run(request, problem, progress);
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        expect_reported(run);
    } catch (const Error& error) {
        // other defines or the device leave no room for the value: NVIDIA's compiler refuses more local
        // memory than there is
        EXPECT_FALSE(by_default) << error.what();
        EXPECT_NE(error.kind(), ErrorKind::run) << error.what();
    }
}

TEST_P(EveryDefine, is_right_at_the_first_and_at_the_last_of_its_values) {
    const std::string analysis = GetParam();
    const Problems problems = problems_of(analysis);
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const Offer& offer : engine().offers(analysis, device)) {
            const Variant& variant = offer.variant;
            if (variant.on_host() || variant.by_name_only || !offer.why_not.empty()) continue;
            const auto taken = std::ranges::find_if(problems, [&](const auto& one) {
                const Traits traits = engine().registry().analysis(analysis).traits(*one.second);
                return why_not(variant, traits, device.fp64).empty();
            });
            ASSERT_NE(taken, problems.end()) << variant.id << " took none of the problems";
            SCOPED_TRACE(variant.id + " of " + analysis + ", " + taken->first + ", on " + device.name);
            Request request = request_of(analysis, variant.id, device);
            request.check = CheckMode::full;
            for (const DefineSpec& define : variant.defines) {
                SCOPED_TRACE(define.name);
                EXPECT_FALSE(define.default_value.empty());
                if (define.allowed.empty()) continue;
                EXPECT_TRUE(std::ranges::count(define.allowed, define.default_value) == 1);
                for (const std::string& value : {define.allowed.front(), define.allowed.back()}) {
                    SCOPED_TRACE(value);
                    request.defines = {{define.name, value}};
                    expect_right(request, taken->second, value == define.default_value);
                }
            }
        }
    }
}

/// Launches of xpcs adapt these to the device, unless a value is given, be it in the text.
TEST(DefineInTheText, is_compiled_and_reported_where_a_launch_would_adapt_it) {
    const auto problem = problems_of("xpcs").begin()->second;
    std::size_t tried = 0;
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const Offer& offer : engine().offers("xpcs", device)) {
            const Variant& variant = offer.variant;
            if (!offer.why_not.empty() || !variant.id.starts_with("gram.")) continue;
            for (const auto& [name, value] : {std::pair("RN", "1"), std::pair("TILE", "64")}) {
                const auto define = std::ranges::find(variant.defines, name, &DefineSpec::name);
                if (define == variant.defines.end()) continue;
                SCOPED_TRACE(variant.id + " on " + device.name + ", " + name);
                Request request = request_of("xpcs", variant.id, device);
                request.check = CheckMode::full;
                request.kernel_file = "mine.cl";
                request.kernel_source = fmt::format("#define {} {}\n{}", name, value, variant.source);
                Progress progress;
                const ks::Run run = engine().run(request, problem, progress);
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
                EXPECT_EQ(compiled_defines(run).at(name), value);
                ++tried;
            }
        }
    }
    if (tried == 0) GTEST_SKIP() << "no device has such a variant";
}

INSTANTIATE_TEST_SUITE_P(Tables, EveryDefine, ::testing::ValuesIn(analyses_with_rows()),
                         [](const auto& row) { return row.param; });

}  // namespace
