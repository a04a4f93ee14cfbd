// Peak rates of a device's arithmetic and launches.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/stopwatch.h"
#include "gpu/runtime/ceiling_meter.h"
#include "gpu/runtime/kernel_files.h"

namespace ks::gpu {
namespace {

constexpr std::uint64_t launches_a_sample = 16;

/// The type of a chain in OpenCL C, and the `a` and `b` of ceilings.cl.
template <class Real>
struct ChainNumber;
template <>
struct ChainNumber<cl_float> {
    static constexpr const char* type = "float";
    static constexpr cl_float a = 0.999F, b = 0.001F;
};
template <>
struct ChainNumber<cl_double> {
    static constexpr const char* type = "double";
    static constexpr cl_double a = 0.999, b = 0.001;
};
template <>
struct ChainNumber<cl_half> {
    static constexpr const char* type = "half";
    static constexpr cl_half a = 0x3bfe, b = 0x1419;  ///< bits of 0.999 and 0.001
};
template <>
struct ChainNumber<cl_uint> {
    static constexpr const char* type = "uint";
    static constexpr cl_uint a = 3, b = 1;
};

}  // namespace

template <class Real>
void CeilingMeter::measure_chains(const char* id, const char* label, const char* unit,
                                  const std::vector<Chain>& some) {
    begin(id);
    using Number = ChainNumber<Real>;
    const char* const type = Number::type;
    const std::size_t lanes = sizeof(Real) == 8 ? lanes_f64_ : sizeof(Real) == 2 ? lanes_f16_ : lanes_f32_;
    const std::size_t groups = groups_of_chains(), items = groups * group();
    const Buffer out = context_.buffer(items * lanes * sizeof(Real));
    Ceiling best;
    for (const Chain& chain : some) {
        cl::Kernel one = kernel(chain.entry_point, type, lanes);
        const Launch launch = [&](std::uint64_t rounds) {
            set_arguments(one, out, Number::a, Number::b, static_cast<cl_uint>(rounds));
            return timed(one, groups);
        };
        const double each = chain.each * chain.unroll * static_cast<double>(items * chains() * lanes);
        Ceiling rate = rates(launch, 1U << 30, each);
        rate.sample =
            fmt::format("{} of {}, {} work-items x {} chains x {:.0f} steps", chain.description,
                        vector_type(type, lanes), items, chains(), rate.amount / each * chain.unroll);
        if (best.samples.empty() || rate.median() > best.median()) best = std::move(rate);
    }
    keep(std::move(best), id, label, unit, best.sample);
}

void CeilingMeter::measure_arithmetic() {
    measure_chains<cl_float>(ceiling_ids::fma_f32, "Multiply-adds, float", "flop/s",
                             {{"multiply_adds", "fma", 2, 16}});
    if (context_.info().fp64)
        measure_chains<cl_double>(ceiling_ids::fma_f64, "Multiply-adds, double", "flop/s",
                                  {{"multiply_adds", "fma", 2, 16}});
    // Some drivers list half precision, which their compiler then rejects.
    if (context_.info().has_extension("cl_khr_fp16") &&
        context_.device().probe("halves",
                                "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                "kernel void probe(global half* x) { x[0] = fma(x[0], x[0], x[0]); }\n"))
        measure_chains<cl_half>(ceiling_ids::fma_f16, "Multiply-adds, half", "flop/s",
                                {{"multiply_adds", "fma", 2, 16}});
    measure_chains<cl_uint>(ceiling_ids::mad_u32, "Multiply-adds, 32-bit integers", "op/s",
                            {{"multiply_adds", "x * x + b", 2, 16}});
    std::vector<Chain> powers{{"powers", "native_exp2", 1, 2}}, cosines{{"cosines", "native_cos", 1, 2}};
    if (processor_) {
        powers.push_back({"polynomial_powers", "a polynomial of degree 5", 1, 2});
        cosines.push_back({"polynomial_cosines", "polynomials for cosine and sine at once", 2, 2});
    }
    measure_chains<cl_float>(ceiling_ids::exp2, "Exponentials", "1/s", powers);
    measure_chains<cl_float>(ceiling_ids::rsqrt, "Reciprocal square roots", "1/s",
                             {{"inverse_roots", "native_rsqrt", 1, 2}});
    measure_chains<cl_float>(ceiling_ids::sin, "Sines or cosines", "1/s", cosines);
}

void CeilingMeter::measure_units_of_nvidia() {
    constexpr const char* file = "gpu/runtime/ceilings_nvidia.cl";
    if (!context_.info().has_extension("cl_nv_compiler_options")) return;
    if (!context_.device().probe(file, kernel_text(file))) return;
    constexpr double steps = 8, of_warp = 1.0 / 32;
    struct Unit {
        const char *id, *label, *unit, *entry_point, *description;
        double each;      ///< operations per step of a work-item
        cl_uint operand;  ///< bits of 2^-10, or bytes of 1
    };
    for (const Unit& one : {Unit{ceiling_ids::dot_u8, "Multiply-adds, dot products of bytes", "op/s",
                                 "dot_bytes", "dp4a", 8, 0x01010101},
                            Unit{ceiling_ids::matrix_tf32, "Matrix units, TF32", "flop/s", "matrices_tf32",
                                 "mma m16n8k8", 2 * 16 * 8 * 8 * of_warp, 0x3a800000},
                            Unit{ceiling_ids::matrix_f16, "Matrix units, half", "flop/s", "matrices_f16",
                                 "mma m16n8k16", 2 * 16 * 8 * 16 * of_warp, 0x14001400},
                            Unit{ceiling_ids::matrix_u8, "Matrix units, bytes", "op/s", "matrices_u8",
                                 "mma m16n8k32", 2 * 16 * 8 * 32 * of_warp, 0x01010101}}) {
        begin(one.id);
        const std::size_t groups = groups_of_chains(), items = groups * group();
        const Buffer out = context_.buffer(items * sizeof(cl_uint));
        cl::Kernel kernel = context_.kernel(
            file, one.entry_point, {{"WG", std::to_string(group())}, {"CHAINS", std::to_string(chains())}});
        const Launch launch = [&](std::uint64_t rounds) {
            set_arguments(kernel, out, one.operand, static_cast<cl_uint>(rounds));
            return timed(kernel, groups);
        };
        const double each = one.each * steps * static_cast<double>(items * chains());
        Ceiling rate = rates(launch, 1U << 30, each);
        rate.sample = fmt::format("{}, {} work-items x {} chains x {:.0f} steps", one.description, items,
                                  chains(), rate.amount / each * steps);
        keep(std::move(rate), one.id, one.label, one.unit, rate.sample);
    }
}

void CeilingMeter::measure_launches() {
    begin(ceiling_ids::launch);
    const cl::Kernel nothing = kernel("nothing", "float", lanes_f32_);
    const cl::CommandQueue& queue = context_.device().queue();
    Ceiling by_events, by_host;
    by_events.amount = by_host.amount = launches_a_sample;
    for (std::size_t i = 0; i < warm_ups + plan_.repeats; ++i) {
        progress_.check();
        std::vector<cl::Event> events(launches_a_sample);
        Stopwatch watch;
        for (cl::Event& event : events) {
            queue.enqueueNDRangeKernel(nothing, cl::NullRange, cl::NDRange(1), cl::NDRange(1), nullptr,
                                       &event);
            queue.finish();
        }
        const auto passed = static_cast<double>(watch.lap());
        double in_events = 0;
        for (const cl::Event& event : events) in_events += static_cast<double>(duration(event));
        if (i < warm_ups) continue;
        by_host.samples.push_back(passed * 1e-9 / launches_a_sample);
        by_events.samples.push_back(std::max(in_events, 1.0) * 1e-9 / launches_a_sample);
    }
    keep(std::move(by_events), ceiling_ids::launch, "Empty kernel, by its events", "s",
         fmt::format("mean of {} launches of one work-item", launches_a_sample));
    keep(std::move(by_host), ceiling_ids::round_trip, "Empty kernel, from enqueuing to its end", "s",
         fmt::format("mean of {} launches, each waited for", launches_a_sample));
}

}  // namespace ks::gpu
