#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/frame_format.h"

namespace ks::io {

// The functions of frame_formats() for HDF5 files; open_frames.h documents them.

std::shared_ptr<FrameSource> open_hdf5_frames(const DataName& name);
/// A group with several names has its children below the first one.
FileNode read_hdf5_tree(const std::filesystem::path& file, const std::string& group = "/");
/// Geometry of the detector that recorded the frames, see detectors_of().
std::optional<Geometry> read_hdf5_geometry(const DataName& frames, std::vector<GeometryFault>& faults);
/// pixel_mask and saturation_value of that detector.
FilePixels read_hdf5_pixels(const DataName& frames);
/// The axes on which the sample of the frames' entry depends (NXsample, NXtransformations).
std::optional<Rotation> read_hdf5_rotation(const DataName& frames, std::vector<std::string>& faults);
std::string describe_hdf5(const DataName& name);

}  // namespace ks::io
