// What a launch sets by its problem is what a user's text is compiled with, whatever the text has in its
// place if nothing is set.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/run/user/text_defines.h"
#include "tests/gpu/variant_problems.h"

using namespace ks;
using namespace ks::tests;

namespace {

/// The options of the last build of a file that are whole numbers, by name.
std::map<std::string, std::string> numbers_in_options(const ks::Run& run, const std::string& file) {
    std::map<std::string, std::string> numbers;
    for (const BuildLog& build : run.builds) {
        if (build.source_file != file) continue;
        const std::regex option("-D *(\\w+)=(\\d+)(?= |$)");
        for (auto at = std::sregex_iterator(build.options.begin(), build.options.end(), option);
             at != std::sregex_iterator(); ++at)
            numbers[(*at)[1]] = (*at)[2];
    }
    return numbers;
}

/// Per way in which the launches of an analysis set definitions by their problem: a variant.
class DefineOfTheLaunch : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(DefineOfTheLaunch, comes_before_a_guarded_one_in_the_text) {
    const auto [analysis, id] = GetParam();
    std::size_t tried = 0;
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        const std::vector<Offer> offers = engine().offers(analysis, device);
        const auto offer = std::ranges::find(offers, id, [](const Offer& one) { return one.variant.id; });
        ASSERT_NE(offer, offers.end());
        if (!offer->why_not.empty()) continue;
        SCOPED_TRACE(device.name);
        const Problems problems = problems_of(analysis);
        const auto taken = std::ranges::find_if(problems, [&](const auto& one) {
            return why_not(offer->variant, engine().registry().analysis(analysis).traits(*one.second),
                           device.fp64)
                .empty();
        });
        ASSERT_NE(taken, problems.end());
        Request request = request_of(analysis, id, device);
        request.check = CheckMode::full;
        Progress progress;
        const ks::Run shipped = engine().run(request, taken->second, progress);
        auto set = numbers_in_options(shipped, offer->variant.source_file);
        std::erase_if(set, [&](const auto& define) {
            return define_in_text(offer->variant.defines, define.first) != nullptr;
        });
        ASSERT_FALSE(set.empty()) << "the launch sets nothing by its problem";
        std::string guarded;
        for (const auto& [name, value] : set)
            guarded += fmt::format("#ifndef {0}\n#define {0} {1}\n#endif\n", name, std::stoll(value) + 1);
        request.kernel_file = "mine.cl";
        request.kernel_source = guarded + offer->variant.source;
        const ks::Run own = engine().run(request, taken->second, progress);
        EXPECT_EQ(own.verdict.state, Verdict::State::pass) << own.verdict.text;
        const auto compiled = numbers_in_options(own, "mine.cl");
        for (const auto& [name, value] : set) EXPECT_EQ(compiled.at(name), value) << name;

        const auto& [name, value] = *set.begin();
        request.defines[name] = std::to_string(std::stoll(value) + 1);
        try {
            engine().run(request, taken->second, progress);
            ADD_FAILURE() << "ran with another " << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
            EXPECT_NE(error.message().find("which cannot be changed to"), std::string::npos) << error.what();
        }
        ++tried;
    }
    if (tried == 0) GTEST_SKIP() << "no device runs it";
}

INSTANTIATE_TEST_SUITE_P(Launches, DefineOfTheLaunch,
                         ::testing::ValuesIn(std::vector<std::pair<const char*, const char*>>{
                             {"atomics", "global.atomics"},
                             {"images", "sampler"},
                             {"clusters", "map.cpu"},
                             {"clusters", "unionfind.local"},
                             {"clusters", "unionfind.global"},
                             {"clusters", "propagate.fused"},
                             {"clusters", "seed.findclus"},
                             {"spots", "seed.brute"},
                             {"spots", "screened"},
                             {"spots", "packed"},
                             {"spots", "sliding"},
                             {"particles", "target.tiled"}}),
                         [](const auto& row) {
                             std::string name = fmt::format("{}_{}", row.param.first, row.param.second);
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

}  // namespace
