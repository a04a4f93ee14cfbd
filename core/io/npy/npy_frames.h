#pragma once

#include "core/io/npy/npy_header.h"
#include "core/io/stored_frames.h"

namespace ks::io {

/// Frames of a NumPy array of rank 3 ([frame][y][x]) or 2 (one frame). The header is read once, values
/// frame by frame.
class NpyFrames : public StoredFrames {
  public:
    /// Throws ks::Error(input) naming the file: whatever read_npy() rejects, an array that is not a stack,
    /// booleans, or several frames in Fortran order.
    explicit NpyFrames(DataName name);

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    NpyHeader header_;
};

/// Why frames cannot be read from it ("expected ..., found ..."); nothing if they can.
std::optional<std::string> why_not_frames(const NpyHeader& header);

}  // namespace ks::io
