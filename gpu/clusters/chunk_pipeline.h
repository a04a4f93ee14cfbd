#pragma once

#include <cstddef>
#include <optional>

#include "core/clusters/result.h"
#include "gpu/clusters/labellers.h"

namespace ks::gpu::clusters {

/// How digis go through a device.
struct PipelinePlan {
    bool packed = false;           ///< uploads (gpu/clusters/packed_upload.h); else column by column
    bool table_on_device = false;  ///< else the host makes the table of clusters, from the labels
    bool divides = true;           ///< the device divides in double
    bool overlaps = false;         ///< transfers beside kernels, in queues of their own; two chunks at a time
    std::size_t max_rows = 0;      ///< of a chunk of several blocks
    std::size_t rows_of_part = std::size_t{1} << 21;  ///< of an upload that is packed
    /// Of a launch for the table: what a GPU of a fiftieth of the fastest one does in 50 ms.
    std::size_t rows_of_launch = std::size_t{1} << 24;

    /// What suits the device. Processors make the table on the host, where it takes a fraction of
    /// the time of the kernels with their atomics, and find small chunks in their caches.
    static PipelinePlan of(LaunchContext& context);
};

struct Labelled {
    Array labels;
    std::optional<ks::clusters::ClusterTable> table;  ///< where the device made it
    std::size_t general_modules = 0;                  ///< modules that took the general path
};

/// Labels of all digis and their table, chunk by chunk: upload, kernels, download. The plan is kept as far as
/// the memory that the run may have allows: where room for the table is short, the host makes it, and chunks
/// come one after another. Throws ks::Error(run) where labels are none.
Labelled label_on_device(const ClusterProblem& problem, LaunchContext& context, MakeLabeller make,
                         const PipelinePlan& plan);

}  // namespace ks::gpu::clusters
