#include "gpu/basics/exercise_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::basics {
namespace {

constexpr std::uint64_t element_bytes = 4;
/// Of the shortest launches: with fewer, even a small problem would take thousands of them.
constexpr std::size_t fewest_items = 256;

}  // namespace

void require_vectors(const LaunchContext& context, std::size_t vectors, std::size_t size,
                     std::uint64_t scratch) {
    const std::uint64_t one = size * element_bytes, need = vectors * one + scratch, budget = context.budget(),
                        largest = context.info().largest_allocation;
    if (need <= budget && one <= largest) return;
    const std::uint64_t room = budget - std::min(budget, scratch);
    const char* const words[] = {"a vector", "two vectors", "three vectors"};
    throw Error(
        ErrorKind::input,
        fmt::format("{} of {} elements need {}, more than the {} available on {}", words[vectors - 1], size,
                    memory_text(need), memory_text(std::min(budget, vectors * largest + scratch)),
                    context.info().name),
        "size",
        fmt::format("choose a size of at most {}", std::min(room / vectors, largest) / element_bytes));
}

void require_room(const LaunchContext& context, std::uint64_t bytes, std::uint64_t largest,
                  const std::string& what, const std::string& hint) {
    const std::uint64_t one = context.info().largest_allocation;
    if (bytes <= context.budget() && largest <= one) return;
    const bool in_all = bytes > context.budget();
    throw Error(ErrorKind::input,
                fmt::format("{} need {}{}, more than the {} available on {}", what,
                            memory_text(in_all ? bytes : largest), in_all ? "" : " in one buffer",
                            memory_text(in_all ? context.budget() : one), context.info().name),
                context.request().analysis, hint);
}

void require_group(const LaunchContext& context, std::size_t items, std::uint64_t most) {
    most = std::min(most, context.info().largest_work_group);
    if (items <= most) return;
    throw Error(ErrorKind::input,
                fmt::format("groups of {} work-items are too large: {} allows at most {}", items,
                            context.info().name, most),
                "local size");
}

std::optional<cl::CommandQueue> any_order_queue(LaunchContext& context) {
    const cl_command_queue_properties both =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl::Device& device = context.device().device();
    if ((device.getInfo<CL_DEVICE_QUEUE_PROPERTIES>() & both) != both) return std::nullopt;
    return cl::CommandQueue(context.device().context(), device, both);
}

Buffer touched_output(LaunchContext& context, std::uint64_t bytes) {
    Buffer made = context.buffer(bytes);
    context.fill_with_unlikely(made, bytes);
    return made;
}

void launch_over_elements(LaunchContext& context, const char* stage, const cl::Kernel& kernel,
                          std::size_t size, std::size_t each, std::optional<std::size_t> group,
                          std::uint64_t bytes) {
    constexpr std::size_t most_items = std::size_t{1} << 26;
    const std::size_t multiple = group.value_or(1);
    const cl::NDRange local = group ? cl::NDRange(*group) : cl::NullRange;
    const std::size_t items = quotient_up(size, each),
                      at_once = context.launches_whole()      ? std::max<std::size_t>(items, 1)
                                : context.launches_shortest() ? quotient_up(fewest_items, multiple) * multiple
                                                              : most_items / multiple * multiple;
    for (std::size_t first = 0; first < items; first += at_once) {
        const std::size_t some = std::min(at_once, items - first);
        const std::uint64_t elements = std::min(size - first * each, some * each);
        context.launch(stage, kernel, cl::NDRange(rounded_up(some, multiple)), local,
                       {bytes * elements, elements}, cl::NDRange(first));
    }
}

void cover_elements(LaunchContext& context, const char* what, std::size_t size, std::size_t grain,
                    double rate_guess,
                    const std::function<cl::Event(std::size_t first, std::size_t last)>& launch) {
    Slicer slicer(context, rate_guess);
    const std::size_t least = context.launches_shortest() ? quotient_up(fewest_items, grain) : 1;
    for (std::size_t first = 0; first < size;) {
        const auto fit = static_cast<std::size_t>(std::min(slicer.units(), 1e12)) / grain;
        const std::size_t last = std::min(size, first + grain * std::max(least, fit));
        const cl::Event event = launch(first, last);
        if (last < size) {
            event.wait();
            slicer.took(static_cast<double>(last - first), duration(event));
            context.progress().report(static_cast<double>(last) / static_cast<double>(size), what);
        }
        first = last;
    }
}

Array downloaded_array(LaunchContext& context, const char* stage, const Buffer& buffer, ElementType type,
                       const std::vector<std::size_t>& shape) {
    Array array = Array::undefined(type, shape);
    context.download(stage, buffer, array.bytes());
    context.finish();
    return array;
}

double median_of(std::size_t repeats, const std::function<std::uint64_t()>& measure) {
    std::vector<double> values;
    for (std::size_t i = 0; i <= repeats; ++i) {
        const std::uint64_t value = std::max<std::uint64_t>(1, measure());
        if (i > 0) values.push_back(static_cast<double>(value));
    }
    std::ranges::sort(values);
    return values[values.size() / 2];
}

std::shared_ptr<const Buffer> input_on_device(LaunchContext& context, const std::string& key,
                                              std::span<const std::byte> values, std::uint64_t others) {
    return resident(context,
                    {.key = key,
                     .stage = "upload input",
                     .bytes = values.size(),
                     .granule = element_bytes,
                     .in_memory = values,
                     .read = {}},
                    others);
}

}  // namespace ks::gpu::basics
