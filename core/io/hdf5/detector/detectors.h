#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/files/data_name.h"
#include "core/io/hdf5/nexus.h"

/// What a file states about frames is what it states about their detector.
namespace ks::io {

/// The detectors of a file that may have recorded the frames: those that contain or link the dataset; if none
/// does, those of the same entry; if there are none, all. A detector is an NXdetector, or a group named
/// detector without a class.
/// @param frames as passed to open_frames(); an object may be a group or select a scan
std::vector<ClassGroup> detectors_of(const h5::Handle& file, const DataName& frames);
/// Paths of objects that should be or contain the detector of an entry but cannot be opened, because of
/// damage or a broken link: /entry/instrument and /entry/instrument/detector.
std::vector<std::string> closed_detectors(const h5::Handle& file);
/// Groups of that class (see groups_of_class()), those in the frames' entry first.
std::vector<ClassGroup> groups_near(const h5::Handle& file, const DataName& frames,
                                    const std::string& nx_class, const std::string& named);

/// Seconds between consecutive frames, as stated by the detector.
struct FrameTime {
    std::optional<double> seconds;
    std::optional<std::string> fault;  ///< why the frame time of the file cannot be used
};
/// The first usable `frame_time` of the detectors_of() the frames; without a unit it is in seconds.
FrameTime frame_time(const h5::Handle& file, const DataName& frames);

}  // namespace ks::io
