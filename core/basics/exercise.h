#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/ceilings.h"
#include "core/run/analysis.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/run/timing.h"

/// What the exercises share. Their input follows from parameters of the request: no file is read.
namespace ks::basics {

/// Title of the group.
inline constexpr const char* group = "Basics";

/// Rows of the parameters that the input follows from, and their values in a request that is complete.
ParameterSpec size_parameter(const char* help = "Elements of a vector");
ParameterSpec seed_parameter();
std::size_t size_of(const Request& request);
std::uint64_t seed_of(const Request& request);
/// "1000 elements": Analysis::setup_text() of a run that has a size.
std::string elements_text(const Run& run);

/// Floats that follow from a seed, the same on every machine: multiples of 2^-23 from -1 to 1 without 1, so
/// that no sum of them is subnormal. `stream` tells inputs of one seed apart. Throws ks::Error(input) where
/// the host has no room for them.
std::vector<float> exercise_values(std::size_t count, std::uint64_t seed, std::uint64_t stream);

/// Whole numbers of 32 random bits, of the same kind.
std::vector<std::uint32_t> exercise_integers(std::size_t count, std::uint64_t seed, std::uint64_t stream);

/// Their sums are taken in 32 bits, and results say so.
inline constexpr std::uint64_t sums_modulo = std::uint64_t{1} << 32;

/// And of 16 random bits.
std::vector<std::uint16_t> exercise_shorts(std::size_t count, std::uint64_t seed, std::uint64_t stream);

/// Time of the kernels of a run, of host variants that of their stages; nothing where it is 0.
std::optional<double> seconds_of(const std::vector<Timing>& timings);

/// Adds the fact gigabytes_per_second of so many bytes; none where the run took no time.
void add_rate(Result& result, std::uint64_t bytes, const std::vector<Timing>& timings);

/// How near `rate` comes to a ceiling, which is `named` "multiply-adds"; nothing where it was not measured.
std::optional<CeilingShare> share_of(double rate, const Ceilings& ceilings, const char* id,
                                     const std::string& named);

}  // namespace ks::basics
