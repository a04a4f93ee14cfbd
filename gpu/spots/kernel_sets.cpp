#include "gpu/spots/kernel_sets.h"

#include <algorithm>
#include <string_view>

#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/lib/test_table.h"

namespace ks::gpu::spots {
namespace {

constexpr const char* pair_probe = R"(
kernel void probe(global uint* c) {
    uint minimum;
    asm("min.u16x2 %0, %1, %2;" : "=r"(minimum) : "r"(c[0]), "r"(c[1]));
    c[2] = minimum;
})";

/// Part of the cost of a whole frame, by the share of its rows.
Cost share(const Cost& whole, double part) {
    return {static_cast<std::uint64_t>(static_cast<double>(whole.bytes) * part),
            static_cast<std::uint64_t>(static_cast<double>(whole.operations) * part)};
}

}  // namespace

PlaneShape shape_of(const SpotProblem& problem) {
    return {problem.layout().modules(), problem.layout().height, problem.layout().width};
}

cl_uint4 shape_argument(const PlaneShape& shape) {
    return {{static_cast<cl_uint>(shape.height), static_cast<cl_uint>(shape.width),
             static_cast<cl_uint>(shape.pitch()), static_cast<cl_uint>(shape.words())}};
}

cl_uint word_count(const PlaneShape& shape) {
    return static_cast<cl_uint>(shape.bit_bytes() / sizeof(cl_uint));
}

std::map<std::string, std::string> own_defines(const SpotProblem& problem, const LaunchContext& context) {
    std::map<std::string, std::string> defines = tuned_defines(context, problem.type());
    for (const DefineSpec& define : context.variant().defines)
        if (!define.program_name.empty()) defines.erase(define.name);
    defines.merge(common_defines(problem));
    return defines;
}

std::map<std::string, std::string> decide_defines(const SpotProblem& problem, const LaunchContext& context) {
    std::map<std::string, std::string> defines = common_defines(problem);
    const std::map<std::string, std::string> all = tuned_defines(context, problem.type());
    for (const DefineSpec& define : context.variant().defines)
        if (!define.program_name.empty()) defines[define.program_name] = all.at(define.name);
    return defines;
}

bool compares_pairs(LaunchContext& context) {
    return context.info().vendor.find("NVIDIA") != std::string::npos &&
           context.device().probe("min.u16x2", pair_probe);
}

void RowLaunches::enqueue(LaunchContext& context, const std::string& stage, const cl::Kernel& kernel,
                          std::size_t columns, std::size_t item_rows, const cl::NDRange& local,
                          const Cost& frame_cost, std::size_t frames) {
    if (!slicer_) slicer_.emplace(context, rate_guess_);
    const std::size_t modules = shape_.modules * frames;
    const Cost cost{frame_cost.bytes * frames, frame_cost.operations * frames};
    const std::size_t local_columns = local.get()[0], local_rows = local.get()[1],
                      items = rounded_up((shape_.height + item_rows - 1) / item_rows, local_rows),
                      width = rounded_up(columns, local_columns);
    const double item_pixels =
        static_cast<double>(item_rows) * static_cast<double>(shape_.width) * static_cast<double>(modules);
    const double total = item_pixels * static_cast<double>(items);
    if (total <= slicer_->units()) {
        context.launch(stage, kernel, {width, items, modules}, local, cost);
        return;
    }
    for (std::size_t at = 0; at < items;) {
        const auto fit = static_cast<std::size_t>(slicer_->units() / item_pixels);
        const std::size_t some =
            std::min(std::max(fit / local_rows, std::size_t{1}) * local_rows, items - at);
        const double work = item_pixels * static_cast<double>(some);
        const cl::Event event = context.launch(stage, kernel, {width, some, modules}, local,
                                               share(cost, work / total), {0, at, 0});
        event.wait();
        slicer_->took(work, duration(event));
        at += some;
    }
}

TableKernels::TableKernels(const SpotProblem& problem, std::size_t pixel_bytes, double rate_guess)
    : shape_(shape_of(problem)),
      pixels_(shape_.modules * shape_.height * shape_.width),
      frame_bytes_(pixel_bytes * pixels_ + shape_.bit_bytes()),
      rows_(shape_, rate_guess),
      table_values_(test_table(problem)) {}

void TableKernels::prepare(LaunchContext& context, const Buffer&) {
    table_ = context.table("upload thresholds", table_values_);
}

}  // namespace ks::gpu::spots
