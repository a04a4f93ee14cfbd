#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/run/engine.h"
#include "gpu/runtime/opencl_backend.h"
#include "tests/gpu/spots/spots_cases.h"

// Small problems of each analysis, of which each variant takes one at least.
namespace ks::tests {

using Problems = std::vector<std::pair<std::string, std::shared_ptr<const Problem>>>;

inline Engine& engine() {
    static Engine made = [] {
        auto registry = std::make_shared<const Registry>();
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
        backends.push_back(gpu::make_opencl_backend());
        return Engine(std::move(registry), std::move(backends));
    }();
    return made;
}

/// The sizes of a benchmark, a few of them others than the default.
inline std::shared_ptr<const Problem> made(const std::string& analysis, const ParameterSet& sizes) {
    const Analysis& of = engine().registry().analysis(analysis);
    return of.benchmark_problem(of.benchmark_sizes(sizes));
}

/// Both algorithms, counts and floats, a small window and the largest.
inline Problems spot_problems() {
    Problems all;
    const RandomScene small{.frames = 1, .height = 70, .width = 90};
    for (const int half : {3, 15}) {
        const ProblemPtr counts = scene<std::uint16_t>(small, with(half, half, 3, 2));
        const ProblemPtr floats = problem_of(awkward_floats(small), {}, with(half, half, 3, 2));
        const std::string window = ", window " + std::to_string(2 * half + 1);
        all.emplace_back("u16, dispersion" + window, counts);
        all.emplace_back("f32, dispersion" + window, floats);
        all.emplace_back("u16, dispersion_extended" + window, extended(counts));
        all.emplace_back("f32, dispersion_extended" + window, extended(floats));
    }
    return all;
}

inline Problems problems_of(const std::string& analysis) {
    const auto count = [](std::int64_t n) { return ParameterValue{n}; };
    const auto word = [](const char* text) { return ParameterValue{std::string(text)}; };
    if (analysis == "spots") return spot_problems();
    Problems all;
    if (analysis == "xpcs")
        for (const char* type : {"u8", "u16"})
            all.emplace_back(type, made(analysis, {{"frames", count(20)},
                                                   {"height", count(40)},
                                                   {"width", count(40)},
                                                   {"type", word(type)}}));
    // As dense as by default, in a quarter of the modules.
    if (analysis == "clusters")
        all.emplace_back(
            "events",
            made(analysis, {{"events", count(2)}, {"modules", count(464)}, {"digis", count(10750)}}));
    if (analysis == "matmul") all.emplace_back("256", made(analysis, {{"size", count(256)}}));
    if (analysis == "particles")
        for (const char* kernel : {"rbf", "helmholtz"})
            for (const char* precision : {"f32", "f64"})
                for (const char* gradient : {"off", "on"})
                    all.emplace_back(std::string(kernel) + ", " + precision + ", gradient " + gradient,
                                     made(analysis, {{"points", count(40)},
                                                     {"planes", count(20)},
                                                     {"kernel", word(kernel)},
                                                     {"precision", word(precision)},
                                                     {"gradient", word(gradient)}}));
    if (analysis == "images") {
        all.emplace_back("sizes by default", made(analysis, {}));
        all.emplace_back("mirrored", made(analysis, {{"mirrored", true}, {"zoom", 1.0}}));
    }
    if (all.empty()) all.emplace_back("sizes by default", made(analysis, {}));
    return all;
}

/// Ids of the analyses that have OpenCL variants.
inline std::vector<std::string> analyses_with_rows() {
    std::set<std::string> ids;
    const std::unique_ptr<Backend> backend = gpu::make_opencl_backend();
    for (const Variant& row : backend->variants()) ids.insert(row.analysis);
    return {ids.begin(), ids.end()};
}

inline Request request_of(const std::string& analysis, const std::string& variant, const DeviceInfo& device) {
    Request request;
    request.analysis = analysis;
    request.variant = variant;
    request.device = std::to_string(device.index);
    return request;
}

}  // namespace ks::tests
