#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/run/analysis.h"

namespace ks::basics {

using Int4 = std::array<std::int32_t, 4>;
using Float4 = std::array<float, 4>;

/// Input vectors for the operations of OpenCL C.
struct VectorsProblem : Problem {
    Int4 a = {}, b = {};
    Float4 f = {}, to_bytes = {};
};

/// Results of the operations, one row per operation; elements beyond its width are 0.
struct VectorRows {
    /// a + b, a - b, a * b (which wrap around), a < b, all(a < b), any(a < b),
    /// and the bytes of convert_uchar4_sat_rte(to_bytes)
    std::array<Int4, 7> whole = {};
    /// f.wzyx, f.xxyy, f.even, f.odd, f.lo, f.hi, (float4)(f.x)
    std::array<Float4, 7> real = {};
};

VectorRows vector_rows(const VectorsProblem& problem);

/// What a compiler reported for a program that casts an int4 to a uint4 by `(uint4)i`.
struct IllegalCast {
    bool refused = false;
    std::string log;
};

/// The result of a variant. @param cast empty on the host, which has no such compiler
Result vectors_result(const VectorsProblem& problem, const VectorRows& rows,
                      const std::optional<IllegalCast>& cast);

}  // namespace ks::basics
