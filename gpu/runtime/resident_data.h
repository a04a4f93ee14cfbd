#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "gpu/runtime/launch_context.h"
#include "gpu/runtime/uploads/staged_upload.h"

namespace ks::gpu {

/// Input that stays on the device between runs.
struct ResidentInput {
    std::string key;    ///< changes with the content
    std::string stage;  ///< timing row of the upload
    std::uint64_t bytes;
    std::uint64_t granule;                 ///< a chunk is a multiple of this
    std::span<const std::byte> in_memory;  ///< if the host has all of it, else empty
    std::function<void(std::uint64_t offset, std::span<std::byte> into)> read;  ///< otherwise
    /// Owner of in_memory. If it is given, a device that works in the host's memory reads the data there.
    /// Null: they are copied.
    std::shared_ptr<const void> owner = {};
};

/// The source of its bytes for a StagedUpload: read directly into its pieces, or copied there.
StagedUpload::Source staged_source(const ResidentInput& input);

/// The buffer of `input`: found on the device, or uploaded in chunks. The run will need `others` more bytes:
/// kept data of other inputs are dropped to stay within the budget. The caller has checked that both fit.
std::shared_ptr<const Buffer> resident(LaunchContext& context, const ResidentInput& input,
                                       std::uint64_t others);

/// True if `bytes` in one piece (the raw frames) and `others` more fit the budget and one allocation.
bool fits_resident(const LaunchContext& context, std::uint64_t bytes, std::uint64_t others);
/// Throws ks::Error(input) if they do not. @param name of the frames' source; @param hint what to do instead
void require_resident(const LaunchContext& context, std::uint64_t bytes, std::uint64_t others,
                      const std::string& name, const std::string& hint);

}  // namespace ks::gpu
