#pragma once

#include <string>

#include "core/run/result.h"
#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"
#include "gpu/spots/signal_kernels.h"

namespace ks::gpu::spots {

using ks::spots::FrameSignal;
using ks::spots::SignalSink;

/// Where signal is grouped into spots. `best`: on the device if it is a GPU and the sink takes groups,
/// otherwise on the host. Floating-point counts, whose sums depend on the order, are always grouped on the
/// host.
enum class GroupsOn { best, device, host };

/// Where frames that are compressed in the file are decoded, if the device can decode them (PackedUpload).
/// `best`: on the device if it is a GPU and also groups, since the host then does not need the values.
enum class DecodeOn { best, device, host };

/// Finds the signal of all frames that are not missing and passes it to `sink`. A launch processes one frame
/// or several. Three steps overlap: reading and uploading the frames of one launch, the kernels of the launch
/// before it, and, for the launch before that, the download and the work of the sink. If the device cannot
/// decode the chunk of a frame, the host reads the frame; a damaged frame is left out. Frames stay on the
/// device for the next run as far as the budget allows. Throws ks::Error(input) if not even one frame fits
/// (naming the smallest sufficient budget), and if the variant does not support the problem.
/// @return the kernels that ran, in launch order
std::string find_signal(const SpotProblem& problem, LaunchContext& context, MakeKernels make,
                        SignalSink& sink, GroupsOn groups = GroupsOn::best, DecodeOn decode = DecodeOn::best);

/// find_signal() into a SpotCollector: the launch of all variants.
Result launch_spots(const ks::spots::SpotProblem& problem, LaunchContext& context, MakeKernels make,
                    GroupsOn groups = GroupsOn::best, DecodeOn decode = DecodeOn::best);

}  // namespace ks::gpu::spots
