#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/clusters/problem.h"
#include "core/run/result.h"
#include "core/run/timing.h"

namespace ks::clusters {

/// A digi's label is the smallest row (from 0) among the surviving digis of its cluster, or one of these.
constexpr std::int32_t label_invalid = -1, label_duplicate = -2, label_cut = -3;

/// i32 [digi] for a variant to fill, in input order.
Array make_labels(const ClusterProblem& problem);

/// The table of clusters by columns, ordered by label; the columns are described below.
struct ClusterTable {
    Array label, size, charge, x, y, xmin, xmax, ymin, ymax;
    Array slot_clusters;                               ///< u32 [slot]
    std::size_t invalid = 0, duplicates = 0, cut = 0;  ///< digis without a cluster
};

/// The table computed on the host from the labels, on all threads. Throws ks::Error(run) for invalid labels
/// (not a row, or the row of a digi with another label or in another module).
ClusterTable table_of(const ClusterProblem& problem, const Array& labels);

/// The whole result; every variant ends with it. Datasets:
/// - per digi, in input order: `label` i32; `digi_module` the module's id (u16, u32 or u64, as needed);
///   `digi_event` (u16 or u32; only if the digis have events);
/// - per cluster, ordered by label: `cluster_label` i32, `cluster_size` u32 digis, `cluster_charge` u64 sum
///   of adc, `cluster_x`, `cluster_y` f64 charge-weighted centroid of pixel centres (the centre of pixel
///   index i is i + 0.5; unweighted if all charges are 0), `cluster_xmin`, `cluster_xmax`, `cluster_ymin`,
///   `cluster_ymax` u16 pixel indices, inclusive. Module and event of a cluster are those of the digi in row
///   `cluster_label`;
/// - per slot (module in an event, ordered by event, then module): `module_id`, `module_event`,
///   `module_start` i32 row of the first valid digi in the input (-1: none; moduleStart if the digis of a
///   module are contiguous), `module_digis` u32 valid digis, `module_clusters` u32 clusters (clusInModule).
/// Facts: digis, events, modules (with digis), clusters, invalid, duplicates, cut (digis each), connectivity,
/// layout. Values that depend only on the digis are shared with the problem, not copied.
Result to_result(const ClusterProblem& problem, Array labels, ClusterTable table);
/// The same with the table of table_of(), which is timed as the host stage "table".
Result to_result(const ClusterProblem& problem, Array labels, std::vector<Timing>& timings);

/// A row of the table of clusters.
struct Cluster {
    std::int32_t label = 0;
    std::uint64_t module = 0;
    std::uint32_t event = 0;
    std::uint32_t size = 0;                                ///< digis
    std::uint64_t charge = 0;                              ///< sum of adc
    double x = 0, y = 0;                                   ///< centroid, pixel i has its centre at i + 0.5
    std::uint16_t xmin = 0, xmax = 0, ymin = 0, ymax = 0;  ///< inclusive

    std::uint32_t width_x() const { return std::uint32_t{xmax} - xmin + 1; }
    std::uint32_t width_y() const { return std::uint32_t{ymax} - ymin + 1; }
    bool operator==(const Cluster&) const = default;
};

/// The table of a result, in the order of labels. Throws ks::Error(run) naming the column that is missing or
/// of another length.
std::vector<Cluster> clusters_of(const Result& result);

}  // namespace ks::clusters
