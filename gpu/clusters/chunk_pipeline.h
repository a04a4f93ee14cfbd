#pragma once

#include <cstddef>
#include <optional>

#include "core/clusters/result.h"
#include "gpu/clusters/labellers.h"

namespace ks::gpu::clusters {

/// How digis are processed on a device.
struct PipelinePlan {
    bool packed = false;           ///< packed uploads; else column by column
    bool table_on_device = false;  ///< else the host makes the table of clusters from the labels
    bool divides = true;           ///< the device divides in double
    bool overlaps = false;  ///< transfers concurrently with kernels, in separate queues; two chunks at a time
    std::size_t max_rows = 0;                         ///< of a chunk with several blocks
    std::size_t rows_of_part = std::size_t{1} << 21;  ///< of a packed upload
    /// Rows per launch for the table: as many as a GPU with a fiftieth of the speed of the fastest GPU
    /// processes in 50 ms.
    std::size_t rows_of_launch = std::size_t{1} << 24;

    /// The best plan for the device. If the device is a CPU, the host makes the table, which takes a fraction
    /// of the time of the kernels with their atomics; and chunks are small, so that they fit into its caches.
    static PipelinePlan of(LaunchContext& context);
};

struct Labelled {
    Array labels;
    std::optional<ks::clusters::ClusterTable> table;  ///< if the device made it
    std::size_t general_modules = 0;                  ///< number of modules that took the general path
};

/// Labels of all digis and their table, chunk by chunk: upload, kernels, download. The plan is followed as
/// far as the memory available to the run allows: if there is not enough for the table, the host makes it,
/// and chunks are processed one after another. Throws ks::Error(run) for invalid labels.
Labelled label_on_device(const ClusterProblem& problem, LaunchContext& context, MakeLabeller make,
                         const PipelinePlan& plan);

}  // namespace ks::gpu::clusters
