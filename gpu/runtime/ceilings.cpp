#include "gpu/runtime/ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "gpu/runtime/ceiling_meter.h"
#include "gpu/runtime/kernel_files.h"

namespace ks::gpu {
namespace {

constexpr const char* source_file = "gpu/runtime/ceilings.cl";
constexpr double target_ns = 10e6, tells_rate_ns = 2e6;
constexpr std::size_t quantities = 19;

Run run_of(const CeilingsPlan& plan) {
    Run run;
    run.request.memory_limit = plan.memory_limit;
    run.variant.id = "ceilings";
    run.variant.shared_sources = {source_file, "gpu/runtime/ceilings_nvidia.cl"};
    return run;
}

std::size_t known_lanes(std::size_t native) {
    for (const std::size_t known : {16, 8, 4, 2})
        if (native >= known) return known;
    return 1;
}

}  // namespace

std::string vector_type(const std::string& type, std::size_t lanes) {
    return lanes == 1 ? type : type + std::to_string(lanes);
}

CeilingMeter::CeilingMeter(DeviceContext& device, const CeilingsPlan& plan, Progress& progress)
    : plan_(plan),
      progress_(progress),
      run_(run_of(plan)),
      context_(device, run_, progress),
      processor_(device.info().type == "CPU") {
    if (!processor_) return;
    lanes_f32_ = known_lanes(device.device().getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>());
    lanes_f64_ = known_lanes(device.device().getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>());
    lanes_f16_ = known_lanes(device.device().getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF>());
}

Ceilings CeilingMeter::measure() {
    require_memory();
    measure_memory();
    measure_transfers();
    measure_spaces();
    measure_arithmetic();
    measure_units_of_nvidia();
    measure_launches();
    progress_.report(1, ceiling_ids::launch);
    context_.finish();
    measured_.program_hash = program_hash();
    return std::move(measured_);
}

void CeilingMeter::require_memory() const {
    const std::uint64_t of_chains = groups_of_chains() * group() * lanes_f32_ * sizeof(cl_float);
    const std::uint64_t minimum = std::max({2 * bytes_of_group(), of_chains, mib});
    if (context_.budget() < minimum)
        throw Error(ErrorKind::input,
                    fmt::format("expected at least {} bytes, found {}", minimum, context_.budget()),
                    "memory limit");
}

cl::Kernel CeilingMeter::kernel(const char* entry_point, const char* type, std::size_t lanes, Defines more) {
    const std::map<std::string, const char*> others{
        {"double", "DOUBLES"}, {"half", "HALVES"}, {"uint", "INTEGERS"}};
    const std::string real = vector_type(type, lanes), integer = vector_type("int", lanes);
    Defines defines{{"REAL", type},
                    {"V", real},
                    {"LANES", std::to_string(lanes)},
                    {"WG", std::to_string(group())},
                    {"EACH", std::to_string(vectors_each())},
                    {"CHAINS", std::to_string(chains())}};
    defines.merge(more);
    if (const auto other = others.find(type); other != others.end()) {
        defines.emplace(other->second, "1");
    } else if (processor_) {
        defines.insert({{"POLYNOMIAL", "1"}, {"INT", "int"}, {"VI", integer}});
        if (lanes > 1) defines.insert({{"AS_V", "as_" + real}, {"AS_VI", "as_" + integer}});
    }
    return context_.kernel(source_file, entry_point, defines);
}

std::uint64_t CeilingMeter::timed(const cl::Kernel& kernel, std::size_t groups) {
    const cl::Event event =
        context_.launch("measure", kernel, cl::NDRange(groups * group()), cl::NDRange(group()), Cost{});
    event.wait();
    return std::max<std::uint64_t>(duration(event), 1);
}

void CeilingMeter::begin(const char* id) {
    progress_.report(static_cast<double>(begun_++) / static_cast<double>(quantities), id);
}

std::uint64_t CeilingMeter::fitting(const Launch& launch, std::uint64_t maximum) {
    for (std::uint64_t units = 1;; units = std::min(maximum, 8 * units)) {
        // The shorter of two, since the first may have waited for a compiler or for sleeping threads.
        const auto spent = static_cast<double>(std::min(launch(units), launch(units)));
        if (spent < tells_rate_ns && units < maximum) continue;
        const double fit = static_cast<double>(units) * target_ns / spent;
        return static_cast<std::uint64_t>(std::clamp(fit, 1.0, static_cast<double>(maximum)));
    }
}

Ceiling CeilingMeter::rates(const Launch& launch, std::uint64_t maximum, double each) const {
    const std::uint64_t units = fitting(launch, maximum);
    Ceiling ceiling;
    ceiling.amount = static_cast<double>(units) * each;
    for (std::size_t i = 0; i < warm_ups + plan_.repeats; ++i) {
        const auto spent = static_cast<double>(launch(units));
        if (i >= warm_ups) ceiling.samples.push_back(ceiling.amount * 1e9 / spent);
    }
    return ceiling;
}

void CeilingMeter::keep(Ceiling&& ceiling, const char* id, const char* label, const char* unit,
                        std::string sample) {
    ceiling.id = id;
    ceiling.label = label;
    ceiling.unit = unit;
    ceiling.sample = std::move(sample);
    measured_.values.push_back(std::move(ceiling));
}

std::string CeilingMeter::program_hash() const {
    return ks::program_hash(run_.builds);
}

Ceilings measure_ceilings(DeviceContext& device, const CeilingsPlan& plan, Progress& progress) {
    return CeilingMeter(device, plan, progress).measure();
}

}  // namespace ks::gpu
