#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/files/data_name.h"
#include "core/io/hdf5/nexus.h"

/// What a file says about frames is what it says about the detector that they are of.
namespace ks::io {

/// The detectors of a file that the frames may be of: those that hold or link the dataset; where none does,
/// those of the same entry; where there are none such, all. A detector is an NXdetector, or a group called
/// detector without a class.
/// @param frames as open_frames() takes them; an object may be a group, or have a scan
std::vector<ClassGroup> detectors_of(const h5::Handle& file, const DataName& frames);
/// Paths of what should be, or hold, the detector of an entry and cannot be opened, as it is damaged or a
/// link leads nowhere: /entry/instrument and /entry/instrument/detector.
std::vector<std::string> closed_detectors(const h5::Handle& file);
/// Groups of that class (see groups_of_class()), those of the frames' entry first.
std::vector<ClassGroup> groups_near(const h5::Handle& file, const DataName& frames,
                                    const std::string& nx_class, const std::string& named);

/// Seconds from frame to frame, as the detector has it.
struct FrameTime {
    std::optional<double> seconds;
    std::optional<std::string> fault;  ///< why there are none although the file has a frame time
};
/// `frame_time` of the first of the detectors_of() the frames that has one which can be used; without a unit
/// it is in seconds.
FrameTime frame_time(const h5::Handle& file, const DataName& frames);

}  // namespace ks::io
