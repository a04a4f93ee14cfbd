// Runs reuse the memory of earlier runs. A user's kernel that writes nothing is wrong even right after the
// right kernel has left its values there.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <regex>
#include <string>

#include "core/base/error.h"
#include "tests/gpu/variant_problems.h"

using namespace ks;
using namespace ks::tests;

namespace {

/// The variant's text, of which every kernel returns at once. Nothing: some are written by macros or in
/// included files.
std::optional<std::string> writing_nothing(const Variant& variant) {
    const std::map<std::string, std::string> files = engine().kernel_files();
    const std::string shipped = files.at(variant.source_file);
    std::string text = shipped;
    for (const std::string& entry_point : variant.entry_points) {
        const std::regex head("(\\bvoid\\s+" + entry_point + "\\s*\\([^{]*\\{)");
        if (!std::regex_search(text, head)) return std::nullopt;
        for (const auto& [file, included] : files)
            if (shipped.find("#include \"" + file) != std::string::npos && std::regex_search(included, head))
                return std::nullopt;
        text = std::regex_replace(text, head, "$1\n    return;\n");
    }
    return text;
}

class ReusedMemory : public ::testing::TestWithParam<std::string> {};

TEST_P(ReusedMemory, a_kernel_that_writes_nothing_is_wrong_after_a_right_run) {
    const std::string analysis = GetParam();
    std::size_t tried = 0;
    for (const DeviceInfo& device : engine().devices()) {
        if (device.type == "host") continue;
        for (const auto& [name, problem] : problems_of(analysis)) {
            const Traits traits = engine().registry().analysis(analysis).traits(*problem);
            for (const Offer& offer : engine().offers(analysis, device, traits)) {
                const Variant& variant = offer.variant;
                if (variant.on_host() || variant.by_name_only || !offer.why_not.empty() ||
                    variant.entry_points.empty())
                    continue;
                SCOPED_TRACE(variant.id + " of " + analysis + ", " + name + ", on " + device.name);
                Request request = request_of(analysis, variant.id, device);
                request.check = CheckMode::full;
                request.user_tuned = false;
                Progress progress;
                const ks::Run right = engine().run(request, problem, progress);
                EXPECT_EQ(right.verdict.state, Verdict::State::pass) << right.verdict.text;
                const auto nothing = writing_nothing(variant);
                if (!nothing) continue;
                // A text of its own per problem: requests for other data differ in their inputs.
                request.kernel_source = *nothing + "\n// " + name + "\n";
                request.kernel_file = "mine.cl";
                try {
                    const ks::Run made = engine().run(request, problem, progress);
                    EXPECT_EQ(made.verdict.state, Verdict::State::fail) << made.verdict.text;
                } catch (const Error& error) {
                    EXPECT_NE(error.kind(), ErrorKind::build) << error.what() << error.details();
                }
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 1U);
}

INSTANTIATE_TEST_SUITE_P(Analyses, ReusedMemory, ::testing::Values("xpcs", "spots", "clusters", "particles"),
                         [](const auto& row) { return row.param; });

}  // namespace
