// The memory that host.multitau takes. Sanitizers keep memory that was freed, so these tests are not among
// theirs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/xpcs/correlation.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_multitau_memory {
namespace {

/// Frames that are made when they are read.
class MadeFrames : public FrameSource {
  public:
    explicit MadeFrames(std::size_t frames) : frames_(frames) {}
    std::string name() const override { return "made"; }
    std::string identity() const override { return "made " + std::to_string(frames_); }
    std::size_t frames() const override { return frames_; }
    std::size_t height() const override { return 32; }
    std::size_t width() const override { return 64; }
    ElementType type() const override { return ElementType::u8; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        for (std::size_t i = 0; i < count * 2048; ++i)
            into[i] = static_cast<std::byte>((first * 2048 + i) * 2654435761U >> 29 & 7U);
    }
    std::size_t frames_;
};

/// Bytes of memory in use at most while a series is correlated, above those before.
std::size_t peak_of(std::size_t frames) {
    const auto kilobytes = [](const std::string& name) {
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1));
        return 0ULL;
    };
    Progress progress;
    auto scan = std::make_shared<xpcs::FrameScan>(std::make_shared<MadeFrames>(frames),
                                                  io::FrameRange{0, frames, {}}, 0, progress);
    const xpcs::CorrelationProblem problem(scan, QPartition(32, 64, std::vector<std::int32_t>(2048, 1)), 0,
                                           std::nullopt, progress);
    std::ofstream("/proc/self/clear_refs") << 5 << std::flush;  // the peak begins anew
    const auto before = kilobytes("VmRSS");
    EXPECT_GT(before, 0U);
    Request request;
    request.parameters = {{"channels", std::int64_t{8}}};
    std::vector<Timing> timings;
    HostContext context{request, progress, timings, 2, std::uint64_t{1} << 40};
    const Result result = host_variant("host.multitau").launch(problem, context);
    EXPECT_EQ(result.at("delay").values.to_doubles()[9], 10);
    return (kilobytes("VmHWM") - std::min(before, kilobytes("VmHWM"))) * 1024;
}

TEST(XpcsMultitauMemory, does_not_grow_with_the_number_of_frames) {
    if (!std::ofstream("/proc/self/clear_refs")) GTEST_SKIP() << "the peak of memory cannot be measured";
    peak_of(500);  // threads and pools exist from now on
    const std::size_t few = peak_of(1000), many = peak_of(40000);
    // The frames alone would take 80 MB.
    EXPECT_LT(many, few + (std::size_t{4} << 20)) << few << " and " << many << " bytes";
}

}  // namespace
}  // namespace ks::tests::xpcs_multitau_memory
