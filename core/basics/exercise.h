#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/devices/ceilings.h"
#include "core/run/analysis.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/run/timing.h"

/// Shared by all exercises. Their input follows from parameters of the request: no file is read.
namespace ks::basics {

/// Title of the group.
inline constexpr const char* group = "Basics";

/// Parameters that determine the input, and their values in a complete request.
ParameterSpec size_parameter(const char* help = "Elements per vector");
ParameterSpec seed_parameter();
std::size_t size_of(const Request& request);
std::uint64_t seed_of(const Request& request);
/// "1000 elements": Analysis::setup_text() of a run with a size.
std::string elements_text(const Run& run);

/// Floats generated from a seed, the same on every machine: multiples of 2^-23 from -1 to 1, excluding 1, so
/// that no sum of them is subnormal. `stream` distinguishes inputs with the same seed. Throws
/// ks::Error(input) if the host does not have enough memory, ks::Error(cancelled) if a stop is requested.
std::vector<float> exercise_values(std::size_t count, std::uint64_t seed, std::uint64_t stream,
                                   const Progress& progress);

/// Random 32-bit integers, generated likewise.
std::vector<std::uint32_t> exercise_integers(std::size_t count, std::uint64_t seed, std::uint64_t stream,
                                             const Progress& progress);

/// Sums of 32-bit integers are taken modulo this number, which results mention.
inline constexpr std::uint64_t sums_modulo = std::uint64_t{1} << 32;

/// Random 16-bit integers.
std::vector<std::uint16_t> exercise_shorts(std::size_t count, std::uint64_t seed, std::uint64_t stream,
                                           const Progress& progress);

/// Time of the kernels of a run, for host variants that of their stages; empty if it is 0.
std::optional<double> seconds_of(const std::vector<Timing>& timings);

/// Adds the fact gigabytes_per_second for the given bytes; none if the run took no time.
void add_rate(Result& result, std::uint64_t bytes, const std::vector<Timing>& timings);

/// Adds a dataset with one dimension. @param axis of its values; none for an axis itself
template <class T>
void add_values(Result& result, const std::string& name, const std::string& title, const std::string& unit,
                DataKind kind, const std::vector<T>& values, const char* axis = "") {
    result.datasets.push_back({name, title, unit, kind, Array::of<T>({values.size()}, values)});
    if (kind != DataKind::axis) result.datasets.back().axes = {axis};
}

/// Ratio of `rate` to a ceiling `named` for example "multiply-adds"; empty if the ceiling was not measured.
std::optional<CeilingShare> share_of(double rate, const Ceilings& ceilings, const char* id,
                                     const std::string& named);

}  // namespace ks::basics
