// What kernels print: caught as a text, each line once, and standard output is as before.

#include <unistd.h>

#include <cstdio>

#include "gpu/runtime/output/captured_output.h"
#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::output {
namespace {

using gpu::CapturedOutput;
using gpu::StandardStream;

TEST(Printf, every_line_is_caught_at_any_size) {
    on_each_device([](const DeviceInfo& device) {
        for (const std::int64_t items : {1, 8, 65, 4096}) {
            const ks::Run run = run_with("printf", "hello", device, {{"items", items}});
            EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
            EXPECT_EQ(run.result.facts.at("lines"), items);
        }
    });
}

TEST(Printf, a_line_that_is_missing_or_twice_is_found) {
    on_each_device([](const DeviceInfo& device) {
        const ParameterSet set = {{"items", std::int64_t{3}}};
        ks::Run run = run_with("printf", "hello", device, set);
        const std::string printed = text_of(run.result.at("output"));
        const Analysis& analysis = engine().registry().analysis("printf");
        const auto check = [&](const std::string& text) {
            run.result.datasets.back() = text_dataset("output", "", text);
            Progress progress;
            return analysis.check(*problem_with("printf", set), run, CheckMode::full, progress);
        };
        EXPECT_EQ(check(printed).state, Verdict::State::pass);
        const std::string last = printed.substr(printed.rfind('H'));
        EXPECT_EQ(check(printed + last).text,
                  "fail: 0 of 3 lines are missing, and 1 unexpected line was printed");
        EXPECT_EQ(check(printed.substr(0, printed.rfind('H'))).text,
                  "fail: 1 of 3 lines is missing, and 0 unexpected lines were printed");
        EXPECT_EQ(check(last).text, "fail: 2 of 3 lines are missing, and 0 unexpected lines were printed");
    });
}

TEST(CapturedOutput, is_given_back_on_every_path) {
    std::FILE* const outer = std::tmpfile();
    std::fflush(stdout);
    const int before = dup(STDOUT_FILENO);
    dup2(fileno(outer), STDOUT_FILENO);
    std::string caught;
    {
        CapturedOutput output(StandardStream::output);
        std::printf("inside ");
        std::fflush(stdout);
        EXPECT_EQ(write(STDOUT_FILENO, "twice", 5), 5);
        caught = output.finish();
        std::printf("after,");
    }
    try {
        const CapturedOutput output(StandardStream::output);
        std::printf("never shown");
        throw Error(ErrorKind::cancelled, "stop");
    } catch (const Error&) {
        std::printf("after an error");
    }
    std::fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    char text[64] = {};
    std::rewind(outer);
    const std::size_t read = std::fread(text, 1, sizeof text - 1, outer);
    std::fclose(outer);
    EXPECT_EQ(caught, "inside twice");
    EXPECT_EQ(std::string(text, read), "after,after an error");
}

}  // namespace
}  // namespace ks::tests::output
