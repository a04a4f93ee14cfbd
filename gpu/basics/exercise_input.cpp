#include "gpu/basics/exercise_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::basics {
namespace {

constexpr std::uint64_t element_bytes = 4;
/// As a float larger than any result, as an integer larger than any index.
constexpr cl_uint unlikely_word = 0xfe9bfea5;

template <class T>
std::shared_ptr<const Buffer> elements_on_device(LaunchContext& context, const std::string& key,
                                                 const std::vector<T>& values, std::uint64_t others) {
    static_assert(sizeof(T) == element_bytes);
    const auto bytes = std::as_bytes(std::span(values));
    return resident(context,
                    {.key = key,
                     .stage = "upload input",
                     .bytes = bytes.size(),
                     .granule = element_bytes,
                     .in_memory = bytes,
                     .read = {}},
                    others);
}

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

Buffer touched_output(LaunchContext& context, std::uint64_t bytes) {
    Buffer made = context.buffer(bytes);
    context.fill(made, unlikely_word, bytes);
    return made;
}

void launch_over_elements(LaunchContext& context, const char* stage, const cl::Kernel& kernel,
                          std::size_t size, std::size_t each, std::optional<std::size_t> group,
                          std::uint64_t bytes) {
    constexpr std::size_t most_items = std::size_t{1} << 26;
    const std::size_t multiple = group.value_or(1);
    const cl::NDRange local = group ? cl::NDRange(*group) : cl::NullRange;
    const std::size_t items = (size + each - 1) / each, at_once = context.launches_whole()
                                                                      ? std::max<std::size_t>(items, 1)
                                                                      : most_items / multiple * multiple;
    for (std::size_t first = 0; first < items; first += at_once) {
        const std::size_t some = std::min(at_once, items - first);
        const std::uint64_t elements = std::min(size - first * each, some * each);
        context.launch(stage, kernel, cl::NDRange(rounded_up(some, multiple)), local,
                       {bytes * elements, elements}, cl::NDRange(first));
    }
}

std::shared_ptr<const Buffer> input_on_device(LaunchContext& context, const std::string& key,
                                              const std::vector<float>& values, std::uint64_t others) {
    return elements_on_device(context, key, values, others);
}

std::shared_ptr<const Buffer> input_on_device(LaunchContext& context, const std::string& key,
                                              const std::vector<std::uint32_t>& values,
                                              std::uint64_t others) {
    return elements_on_device(context, key, values, others);
}

}  // namespace ks::gpu::basics
