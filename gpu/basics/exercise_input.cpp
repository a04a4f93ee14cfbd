#include "gpu/basics/exercise_input.h"

#include <span>

#include "gpu/runtime/resident_data.h"

namespace ks::gpu::basics {

std::shared_ptr<const Buffer> input_on_device(LaunchContext& context, const std::string& key,
                                              const std::vector<float>& values, std::uint64_t others) {
    const auto bytes = std::as_bytes(std::span(values));
    return resident(context,
                    {.key = key,
                     .stage = "upload input",
                     .bytes = bytes.size(),
                     .granule = sizeof(float),
                     .in_memory = bytes,
                     .read = {}},
                    others);
}

}  // namespace ks::gpu::basics
