// What viewers of NeXus files draw of a saved run, told by their libraries.

#include <sys/wait.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/xpcs/analysis.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests::viewers {
namespace {

/// 2 bins and 3 delays.
ks::Run sample(bool with_time) {
    ks::Run run;
    run.request.analysis = "xpcs";
    run.variant.id = "host.gram";
    run.result.datasets = {
        {"g2",
         "g2(q, tau)",
         "",
         DataKind::curves,
         Array::of<double>({2, 3}, {1.5, 1.25, 1.125, 2.5, 2.25, 1.0 / 3}),
         {"label", "delay"},
         "g2_err"},
        {"g2_err",
         "error",
         "",
         DataKind::curves,
         Array::of<double>({2, 3}, {0.5, 0.25, 0.125, 0.75, 0.0625, 0.1}),
         {"label", "delay"}},
        {"label", "bin", "", DataKind::axis, Array::of<std::int32_t>({2}, {1, 2})},
        {"delay", "delay", "frames", DataKind::axis, Array::of<std::int32_t>({3}, {0, 1, 4})}};
    if (with_time)
        run.result.datasets.push_back(
            {"delay_time", "delay", "s", DataKind::axis, Array::of<double>({3}, {0, 0.125, 0.5})});
    run.result.facts = {{"frames", 5}};
    run.started = "2026-01-02T03:04:05Z";
    run.version = "0.1.0";
    return run;
}

struct Answer {
    int code = 0;
    std::string text;
};

Answer ask(const std::string& python, const std::string& library, const std::string& file) {
    const std::string command = python +
                                " '" KERNELSCOPE_SOURCE_DIR "/tests/core/xpcs/files/nxdata_curves.py' " +
                                library + " '" + file + "' 2>&1";
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return {1, "no process"};
    Answer answer;
    std::array<char, 4096> piece{};
    for (std::size_t n = 0; (n = fread(piece.data(), 1, piece.size(), pipe)) > 0;)
        answer.text.append(piece.data(), n);
    const int status = pclose(pipe);
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    return answer;
}

class Viewers : public IoTest, public testing::WithParamInterface<const char*> {};

TEST_P(Viewers, draw_a_curve_per_bin_with_its_errors) {
    for (const bool with_time : {true, false}) {
        const ks::Run run = sample(with_time);
        xpcs::write_nxxpcs(run, at("run.h5"), true, quiet);
        Answer answer;
        for (const char* python : {"python3", "/usr/bin/python3"}) {
            answer = ask(python, GetParam(), at("run.h5"));
            if (answer.code == 0) break;
        }
        if (answer.code == 77 || answer.code == 127) GTEST_SKIP() << "no Python has " << GetParam();
        ASSERT_EQ(answer.code, 0) << answer.text;
        const double delays[] = {0, with_time ? 0.125 : 1, with_time ? 0.5 : 4};
        std::istringstream lines(answer.text);
        std::string line;
        for (std::size_t bin = 0; bin < 2; ++bin) {
            ASSERT_TRUE(std::getline(lines, line)) << answer.text;
            std::istringstream numbers(line);
            for (std::size_t i = 0; i < 3; ++i) {
                double x = 0, y = 0, error = 0;
                ASSERT_TRUE(numbers >> x >> y >> error) << line;
                EXPECT_EQ(x, delays[i]);
                EXPECT_EQ(y, run.result.at("g2").values.as<double>()[bin * 3 + i]);
                EXPECT_EQ(error, run.result.at("g2_err").values.as<double>()[bin * 3 + i]);
            }
        }
        EXPECT_FALSE(std::getline(lines, line));
    }
}

INSTANTIATE_TEST_SUITE_P(Libraries, Viewers, testing::Values("h5py", "silx"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace ks::tests::viewers
