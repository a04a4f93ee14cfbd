#pragma once

#include "core/io/npy/npy_header.h"
#include "core/io/stored_frames.h"

namespace ks::io {

/// Frames of a NumPy array of rank 3 ([frame][y][x]) or 2 (one frame). The header is read once, values frame
/// by frame.
class NpyFrames : public StoredFrames {
  public:
    /// Throws ks::Error(input) naming the file: what read_npy() refuses, an array that is no stack, booleans,
    /// several frames in Fortran order.
    explicit NpyFrames(DataName name);

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    NpyHeader header_;
};

/// What frames cannot be read from; nothing where they can ("expected ..., found ...").
std::optional<std::string> why_not_frames(const NpyHeader& header);

}  // namespace ks::io
