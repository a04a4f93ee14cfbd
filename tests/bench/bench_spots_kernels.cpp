// Times of the spot finders' kernels by OpenCL events, on a frame of 4148 x 4362 u16 pixels made here:
//   bench_spots_kernels [part of a device's name] [runs] [variant]
// Medians over the runs after the first, microseconds a frame; the frame is on the device already.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/spots/frames/frame_pipeline.h"
#include "gpu/spots/variants.h"

namespace {

using namespace ks;

constexpr std::size_t height = 4148, width = 4362;

/// Poisson background with a thousand spots; gaps between modules of 514 x 1030 are masked.
std::shared_ptr<const spots::SharedFrames> frame_of(double background) {
    std::mt19937 random(1);
    std::vector<std::uint16_t> values(height * width);
    std::poisson_distribution<int> noise(std::max(background, 1e-9));
    std::vector<std::uint16_t> table(1 << 16);
    for (auto& value : table) value = static_cast<std::uint16_t>(background > 0 ? noise(random) : 0);
    for (auto& value : values) value = table[random() & 0xffff];
    for (int spot = 0; spot < 1000; ++spot) {
        const std::size_t y = 4 + random() % (height - 8), x = 4 + random() % (width - 8);
        for (std::size_t dy = 0; dy < 3; ++dy)
            for (std::size_t dx = 0; dx < 3; ++dx)
                values[(y + dy) * width + x + dx] =
                    static_cast<std::uint16_t>(values[(y + dy) * width + x + dx] + 20 + 10 * background);
    }
    auto source =
        std::make_shared<MemoryFrames>("bench", Array::of<std::uint16_t>({1, height, width}, values));
    return std::make_shared<spots::SharedFrames>(source, 0, 1, 0);
}

PixelMask gaps() {
    PixelMask mask{height, width, std::vector<std::uint8_t>(height * width, 0)};
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            if (y % 551 >= 514 || x % 1040 >= 1030) mask.ignore[y * width + x] = 1;
    return mask;
}

struct Count : spots::SignalSink {
    std::size_t signal = 0;
    void add(std::size_t, std::span<const std::byte>, std::span<const std::uint32_t> pixels) override {
        signal += pixels.size();
    }
};

struct Job {
    std::string variant;
    spots::Algorithm algorithm;
    std::map<std::string, std::string> defines;
};

std::string median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f", values[values.size() / 2] / 1000);
    return text;
}

void time_job(gpu::DeviceContext& device, const Job& job, const spots::SpotProblem& problem,
              double background, int runs) {
    ks::Run run;
    const std::vector<gpu::spots::SpotVariant> rows = gpu::spots::spot_variants();
    const auto row = std::ranges::find(rows, job.variant, [](const auto& one) { return one.info.id; });
    if (row == rows.end()) throw Error(ErrorKind::run, "no such variant", job.variant);
    run.variant = row->info;
    run.variant.source = gpu::kernel_text(run.variant.source_file);
    run.device = device.info();
    run.request.defines = job.defines;
    std::vector<std::string> stages;
    std::map<std::string, std::vector<double>> samples;
    std::vector<double> sums, walls;
    Count count;
    for (int i = 0; i <= runs; ++i) {
        run.timings.clear();
        count.signal = 0;
        Progress progress;
        Stopwatch watch;
        {
            gpu::LaunchContext context(device, run, progress, row->tuning);
            gpu::spots::find_signal(problem, context, row->make, count);
            context.finish();
        }
        if (i == 0) continue;  // builds and uploads
        walls.push_back(static_cast<double>(watch.lap()));
        double sum = 0;
        for (const Timing& timing : run.timings) {
            if (timing.kind != StageKind::kernel) continue;
            if (std::ranges::find(stages, timing.stage) == stages.end()) stages.push_back(timing.stage);
            samples[timing.stage].push_back(static_cast<double>(timing.nanoseconds));
            sum += static_cast<double>(timing.nanoseconds);
        }
        sums.push_back(sum);
    }
    std::string label = job.variant;
    for (const auto& [name, value] : job.defines) label += " " + name + "=" + value;
    if (job.algorithm == spots::Algorithm::dispersion_extended) label += " (extended)";
    std::printf("%-34s background %6g: kernels %9s us, wall %9s us, signal %7zu:", label.c_str(), background,
                median(sums).c_str(), median(walls).c_str(), count.signal);
    for (const std::string& stage : stages)
        std::printf(" %s %s", stage.c_str(), median(samples[stage]).c_str());
    std::printf("\n");
    std::fflush(stdout);
}

int bench(const std::string& wanted, int runs, const std::string& only) {
    std::vector<gpu::FoundDevice> found = gpu::find_devices();
    std::vector<DeviceInfo> infos;
    for (std::size_t i = 0; i < found.size(); ++i) {
        found[i].info.index = static_cast<int>(i);
        infos.push_back(found[i].info);
    }
    gpu::DeviceContext device(found[static_cast<std::size_t>(choose_device(infos, wanted).index)]);
    std::printf("%s, %zu x %zu u16, %d runs\n", device.info().title().c_str(), height, width, runs);
    using enum spots::Algorithm;
    const std::vector<Job> jobs{{"seed.brute", dispersion, {{"AS_PUBLISHED", "1"}}},
                                {"seed.brute", dispersion, {}},
                                {"cooperative", dispersion, {}},
                                {"exact.integer", dispersion, {}},
                                {"sliding", dispersion, {}},
                                {"sliding", dispersion, {{"V", "4"}, {"STRIP", "32"}}},
                                {"sliding", dispersion, {{"V", "8"}, {"STRIP", "16"}}},
                                {"sliding", dispersion, {{"V", "8"}, {"STRIP", "64"}}},
                                {"sliding", dispersion, {{"V", "16"}, {"STRIP", "32"}}},
                                {"extended.fused", dispersion_extended, {}},
                                {"extended.fused", dispersion_extended, {{"LANES", "16"}}},
                                {"extended.fused", dispersion_extended, {{"WG", "64"}}}};
    for (const double background : {0.0, 0.1, 0.3, 1.0, 10.0, 100.0, 5000.0}) {
        const auto frames = frame_of(background);
        for (const Job& job : jobs) {
            if (!only.empty() && job.variant != only) continue;
            spots::Thresholds thresholds;
            thresholds.algorithm = job.algorithm;
            const spots::SpotProblem problem(frames, gaps(), 65534, thresholds,
                                             spots::ModuleLayout::whole(height, width), {});
            time_job(device, job, problem, background, runs);
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    return bench(argc > 1 ? argv[1] : "", argc > 2 ? std::max(1, std::atoi(argv[2])) : 15,
                 argc > 3 ? argv[3] : "");
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
