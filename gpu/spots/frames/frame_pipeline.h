#pragma once

#include <string>

#include "core/run/result.h"
#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"
#include "gpu/spots/signal_kernels.h"

namespace ks::gpu::spots {

using ks::spots::FrameSignal;
using ks::spots::SignalSink;

/// Where signal is grouped into spots. `best`: on GPUs, if the sink takes groups; floating-point counts,
/// whose sums depend on their order, always on the host.
enum class GroupsOn { best, device, host };

/// Where frames that are compressed in the file are decoded, if a device can (PackedUpload). `best`: on GPUs,
/// if the device groups, since the host then does not need the values.
enum class DecodeOn { best, device, host };

/// Finds the signal of all frames that are not missing and passes it to `sink`. Three steps overlap: reading
/// and upload of a frame (or of as many as a launch takes), the kernels of the previous one, and download and
/// the sink's work of the one before that. A frame whose chunk the device cannot decode is read by the host;
/// a damaged one is left out. Frames stay on the device for the next run as far as the budget allows. Throws
/// ks::Error(input) naming the smallest budget if not even one frame fits, and if the variant does not
/// support the problem.
/// @return the kernels that ran, in launch order
std::string find_signal(const SpotProblem& problem, LaunchContext& context, MakeKernels make,
                        SignalSink& sink, GroupsOn groups = GroupsOn::best, DecodeOn decode = DecodeOn::best);

/// find_signal() into a SpotCollector: the launch of all variants.
Result launch_spots(const ks::spots::SpotProblem& problem, LaunchContext& context, MakeKernels make,
                    GroupsOn groups = GroupsOn::best, DecodeOn decode = DecodeOn::best);

}  // namespace ks::gpu::spots
