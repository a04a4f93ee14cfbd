#include "gpu/spots/lib/test_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ks::gpu::spots {
namespace {

constexpr double beyond_counts = 18446744073709551616.0;  // 2^64

/// Unsigned pixels of the same size, since the tests are the same; `end` is the first value that is not a
/// count.
struct Counts {
    const char* source;
    int kind;
    double end;
};

Counts counts_of(ElementType type) {
    switch (type) {
        case ElementType::u8:
            return {"uchar", 0, 256};
        case ElementType::u16:
            return {"ushort", 0, 65536};
        case ElementType::i16:
            return {"ushort", 0, 32768};
        case ElementType::u32:
            return {"uint", 1, 4294967296.0};
        case ElementType::i32:
            return {"uint", 1, 2147483648.0};
        case ElementType::i64:  // counts fit i32, as FrameSource guarantees
            return {"ulong", 1, 2147483648.0};
        default:
            return {"float", 2, std::numeric_limits<double>::infinity()};
    }
}

/// The smallest float that is not below `value`: p < value and p < that are the same for every float p.
float float_not_below(double value) {
    const auto nearest = static_cast<float>(value);
    return nearest < value ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
}

/// In the form that kernels read.
std::string text_of(float value) {
    return fmt::format("as_float({:#x}u)", std::bit_cast<std::uint32_t>(value));
}

std::uint64_t min_above(double threshold) {
    if (threshold < 0) return 0;
    const double minimum = std::floor(threshold) + 1;
    return minimum >= beyond_counts ? ~std::uint64_t{0} : static_cast<std::uint64_t>(minimum);
}

}  // namespace

std::vector<std::uint64_t> test_table(const ks::spots::SpotProblem& problem) {
    const ks::spots::Thresholds& t = problem.thresholds();
    const ks::spots::DispersionTest test(t);
    const bool real = problem.type() == ElementType::f32;
    // 1e-5 less: rounding errors of the float test are 1e-6 at most.
    const auto factor = static_cast<float>(t.sigma_s * t.sigma_s * t.gain * (1 - 1e-5));
    std::vector<std::uint64_t> table{
        std::bit_cast<std::uint64_t>(t.sigma_s), std::bit_cast<std::uint64_t>(t.gain),
        real ? std::bit_cast<std::uint64_t>(t.global_threshold) : min_above(t.global_threshold),
        std::bit_cast<std::uint32_t>(factor), test.never_dispersed()};
    for (std::size_t m = 0; m < test.noise().size(); ++m) {
        const double noise = test.noise()[m];
        const bool gain = t.gain != 1 && m > 0;
        table.push_back(std::bit_cast<std::uint64_t>(gain ? static_cast<double>(m - 1) + noise : noise));
    }
    return table;
}

std::map<std::string, std::string> common_defines(const ks::spots::SpotProblem& problem) {
    const ks::spots::Thresholds& t = problem.thresholds();
    const Counts counts = counts_of(problem.type());
    std::map<std::string, std::string> defines{{"SRC", counts.source},
                                               {"KIND", std::to_string(counts.kind)},
                                               {"KX", std::to_string(t.kernel_x)},
                                               {"KY", std::to_string(t.kernel_y)},
                                               {"MIN_LOCAL", std::to_string(t.min_local)},
                                               {"GAIN", t.gain == 1 ? "0" : "1"}};
    if (t.algorithm == ks::spots::Algorithm::dispersion_extended &&
        t.extended_rule == ks::spots::ExtendedRule::older)
        defines.emplace("INVALID_ERODES", "1");
    const double sums_end = std::min(problem.limit(), ks::spots::sums_limit);
    const double limit = std::min(counts.end, std::max(0.0, std::ceil(sums_end)));
    const double values = std::exp2(8.0 * static_cast<double>(size_of(problem.type())));
    if (counts.kind == 2) {
        defines["LIMIT"] = text_of(float_not_below(sums_end));
    } else if (limit < values) {
        defines["LIMIT"] = fmt::format("{}ul", static_cast<std::uint64_t>(limit));
    }
    return defines;
}

std::optional<std::map<std::string, std::string>> large_count_defines(const ks::spots::SpotProblem& problem) {
    const Counts counts = counts_of(problem.type());
    const double end = std::min(counts.end, problem.limit());
    if (problem.thresholds().algorithm != ks::spots::Algorithm::dispersion || !(end > ks::spots::sums_limit))
        return {};
    std::map<std::string, std::string> defines = common_defines(problem);
    defines["END"] = counts.kind == 2 ? text_of(float_not_below(std::isfinite(end) ? end : counts.end))
                                      : fmt::format("{}ul", end_of_counts(problem));
    return defines;
}

std::uint64_t end_of_counts(const ks::spots::SpotProblem& problem) {
    return static_cast<std::uint64_t>(
        std::min(counts_of(problem.type()).end, std::max(0.0, std::ceil(problem.limit()))));
}

CountRange saturated_counts(const ks::spots::SpotProblem& problem) {
    const double end = counts_of(problem.type()).end;
    if (!(problem.saturation() < end)) return {1, 0};
    return {static_cast<std::uint64_t>(std::max(0.0, std::ceil(problem.saturation()))),
            static_cast<std::uint64_t>(end) - 1};
}

}  // namespace ks::gpu::spots
