#include "core/basics/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/host_memory.h"
#include "core/base/large_pages.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/threads.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

template <class T>
std::vector<T> exercise_input(std::size_t count, std::uint64_t seed, std::uint64_t stream,
                              const Progress& progress, T (*value_of)(std::uint64_t bits)) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    require_memory(std::uint64_t{count} * sizeof(T), fmt::format("{} values", count), "size");
    // New memory of gigabytes takes seconds, during which a stop may be requested.
    constexpr std::size_t at_once = std::size_t{1} << 20;
    std::vector<T> values;
    values.reserve(count);
    prefer_large_pages(reinterpret_cast<std::byte*>(values.data()), count * sizeof(T));
    while (values.size() < count) {
        progress.check();
        values.resize(std::min(count, values.size() + at_once));
    }
    parallel_for((count + piece - 1) / piece, compute_threads(), [&](std::size_t part) {
        progress.check();
        Random random(seed, (stream << 32) + part);
        for (std::size_t i = part * piece; i < std::min(count, (part + 1) * piece); ++i)
            values[i] = value_of(random.next());
    });
    return values;
}

}  // namespace

ParameterSpec size_parameter(const char* help) {
    return parameter::whole("size", "Size", "elements", 1 << 20, 1, parameter::unbounded, help);
}

std::size_t size_of(const Request& request) {
    return static_cast<std::size_t>(integer(request.parameters, "size"));
}

std::uint64_t seed_of(const Request& request) {
    return static_cast<std::uint64_t>(integer(request.parameters, "seed"));
}

std::string elements_text(const Run& run) {
    const auto size = run.request.parameters.find("size");
    return size == run.request.parameters.end() ? std::string() : to_text(size->second) + " elements";
}

ParameterSpec seed_parameter() {
    return parameter::whole("seed", "Seed", "", 1, 0, parameter::unbounded, "Seed of the random input");
}

std::vector<float> exercise_values(std::size_t count, std::uint64_t seed, std::uint64_t stream,
                                   const Progress& progress) {
    return exercise_input<float>(count, seed, stream, progress, [](std::uint64_t bits) {
        return static_cast<float>(bits >> 40) * 0x1p-23F - 1.0F;
    });
}

std::vector<std::uint32_t> exercise_integers(std::size_t count, std::uint64_t seed, std::uint64_t stream,
                                             const Progress& progress) {
    return exercise_input<std::uint32_t>(count, seed, stream, progress, [](std::uint64_t bits) {
        return static_cast<std::uint32_t>(bits >> 32);
    });
}

std::vector<std::uint16_t> exercise_shorts(std::size_t count, std::uint64_t seed, std::uint64_t stream,
                                           const Progress& progress) {
    return exercise_input<std::uint16_t>(count, seed, stream, progress, [](std::uint64_t bits) {
        return static_cast<std::uint16_t>(bits >> 48);
    });
}

std::optional<double> seconds_of(const std::vector<Timing>& timings) {
    std::uint64_t spent = total(timings, StageKind::kernel);
    if (spent == 0) spent = total(timings, StageKind::host);
    if (spent == 0) return std::nullopt;
    return static_cast<double>(spent) * 1e-9;
}

void add_rate(Result& result, std::uint64_t bytes, const std::vector<Timing>& timings) {
    if (const auto seconds = seconds_of(timings))
        result.facts["gigabytes_per_second"] = static_cast<double>(bytes) * 1e-9 / *seconds;
}

std::optional<CeilingShare> share_of(double rate, const Ceilings& ceilings, const char* id,
                                     const std::string& named) {
    const double share = rate / ceilings.median(id);
    if (!std::isfinite(share) || !(share > 0)) return std::nullopt;
    constexpr double chance = 1.05;
    const bool of_memory =
        id == std::string_view(ceiling_ids::copy) || id == std::string_view(ceiling_ids::read);
    if (share > chance && of_memory)
        return CeilingShare{
            share, fmt::format("{:.3g} x the ceiling of {}, because a cache holds the data", share, named),
            true};
    if (share > chance)
        return CeilingShare{
            share,
            fmt::format(
                "{:.3g} x the ceiling of {}; the machine was probably busier when the ceiling was measured",
                share, named)};
    if (share < 0.0995)
        return CeilingShare{share, fmt::format("{:.2g} % of the ceiling of {}", 100 * share, named)};
    return CeilingShare{share, fmt::format("{:.0f} % of the ceiling of {}", 100 * share, named)};
}

}  // namespace ks::basics
