// A kernel that leaves out a step is called wrong even after a run of the right one, whose values are still
// in memory: of each kernel of each exercise, a copy that returns at once, and copies without a barrier.

#include <regex>

#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::stale {
namespace {

ks::Run run_of_text(const std::string& analysis, const std::string& variant, const DeviceInfo& device,
                    const ParameterSet& parameters, const std::string& text) {
    Request request = request_of(analysis, variant, device);
    request.parameters = parameters;
    request.check = CheckMode::full;
    request.kernel_source = text;
    request.kernel_file = "mine.cl";
    Progress progress;
    return engine().run(request, problem_with(analysis, parameters), progress);
}

std::string shipped(const Variant& variant) {
    return engine().kernel_files().at(variant.source_file);
}

/// Empty if the text has no such kernel.
std::string returning_at_once(std::string text, const std::string& entry_point) {
    // Each of its definitions: there may be one per branch of the preprocessor.
    const std::regex head("(\\bvoid\\s+" + entry_point + "\\s*\\([^{]*\\{)");
    if (!std::regex_search(text, head)) return {};
    return std::regex_replace(text, head, "$1\n    return;\n");
}

std::string without(std::string text, const std::string& line) {
    const std::size_t found = text.rfind(line);
    EXPECT_NE(found, std::string::npos) << line;
    return text.erase(found, line.size());
}

/// Parameters that launch the kernel, on little data.
ParameterSet small(const std::string& analysis, const std::string& entry_point) {
    ParameterSet set;
    for (const ParameterSpec& one : engine().registry().analysis(analysis).info().parameters)
        if (one.id == "size")  // a GPU scans a thousand elements in one chunk, without the other passes
            set[one.id] = std::int64_t{analysis == "matmul" ? 65 : analysis == "scan" ? 100'000 : 1000};
    if (analysis == "memory_spaces")
        set = {{"largest", std::int64_t{64}}, {"items", std::int64_t{65}}, {"repeats", std::int64_t{1}}};
    if (analysis == "buffers") set["repeats"] = std::int64_t{1};
    if (analysis == "copy")
        set = {{"depth", std::int64_t{3}},
               {"height", std::int64_t{20}},
               {"width", std::int64_t{100}},
               {"dimensions", std::int64_t{entry_point.at(entry_point.size() - 2) - '0'}}};
    return set;
}

TEST(StaleValues, a_kernel_that_returns_at_once_is_wrong_after_a_right_run) {
    std::size_t tried = 0;
    for (const Analysis& analysis : engine().registry().analyses()) {
        const std::string id = analysis.info().id;
        if (analysis.info().group != "Basics" || id == "printf") continue;
        on_each_device([&](const DeviceInfo& device) {
            for (const Offer& offer : engine().offers(id, device)) {
                if (offer.variant.on_host() || offer.variant.by_name_only || !offer.why_not.empty()) continue;
                for (const std::string& entry_point : offer.variant.entry_points) {
                    SCOPED_TRACE(id + " " + offer.variant.id + " " + entry_point);
                    const std::string text = returning_at_once(shipped(offer.variant), entry_point);
                    const ParameterSet parameters = small(id, entry_point);
                    const auto problem = problem_with(id, parameters);
                    if (text.empty() ||
                        !why_not(offer.variant, analysis.traits(*problem), device.fp64).empty())
                        continue;
                    const ks::Run right = run_with(id, offer.variant.id, device, parameters);
                    EXPECT_EQ(right.verdict.state, Verdict::State::pass) << right.verdict.text;
                    const ks::Run made = run_of_text(id, offer.variant.id, device, parameters, text);
                    EXPECT_EQ(made.verdict.state, Verdict::State::fail) << made.verdict.text;
                    ++tried;
                }
            }
        });
    }
    EXPECT_GT(tried, 20U);
}

TEST(StaleValues, a_missing_barrier_is_wrong_though_a_kernel_handed_over_before) {
    const std::string text = engine().kernel_files().at("gpu/basics/synchronise/barriers.cl");
    on_each_device([&](const DeviceInfo& device) {
        if (device.type != "CPU") return;  // a GPU may run the items of a small group in step
        for (const std::string& wrong :
             {without(text, "barrier(CLK_GLOBAL_MEM_FENCE);"), without(text, "scratch[g] = values[g];")}) {
            run_with("synchronise", "barriers", device, {});
            const ks::Run made = run_of_text("synchronise", "barriers", device, {}, wrong);
            EXPECT_EQ(made.verdict.state, Verdict::State::fail) << made.verdict.text;
        }
    });
}

TEST(StaleValues, what_an_earlier_launch_read_is_no_answer_of_a_later_one) {
    const std::string text = engine().kernel_files().at("gpu/basics/memory_spaces/spaces.cl");
    on_each_device([&](const DeviceInfo& device) {
        for (const char* entry_point : {"read_global", "read_constant", "read_local", "read_private"}) {
            const ks::Run made =
                run_of_text("memory_spaces", "every.space", device, small("memory_spaces", entry_point),
                            returning_at_once(text, entry_point));
            EXPECT_EQ(made.verdict.state, Verdict::State::fail) << entry_point << made.verdict.text;
        }
    });
}

}  // namespace
}  // namespace ks::tests::stale
