#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/clusters/problem.h"
#include "core/clusters/result.h"
#include "core/run/analysis.h"
#include "core/run/host_backend.h"
#include "core/run/run.h"
#include "core/run/variant.h"

namespace ks::clusters {

/// Pixel clusters: adjacent hits of a module get the same label.
std::vector<Analysis> make_analyses();
/// host.reference and host.unionfind.
std::vector<HostVariant> host_variants();

/// Reads the digis of a request with complete parameters; data that `previous` read from the same file and
/// layout is reused. Throws ks::Error(input).
std::shared_ptr<const ClusterProblem> load_problem(const Request& request, Progress& progress,
                                                   std::shared_ptr<const Problem> previous);

/// Compares labels with a flood fill, module by module, and the table of clusters with sums over those
/// labels. A sample takes the fullest modules and a Sample of the others. The verdict's place
/// has the event and module of the first that differs, and a digi (row of the input)
/// if one shows the difference.
Verdict check_clusters(const ClusterProblem& problem, const Run& run, CheckMode mode, Progress& progress);

/// A few lines for the terminal: the fullest modules and the totals.
std::string summary_of(const Run& run);
/// "phase1, 8 neighbours, cut 4000".
std::string setup_text_of(const Run& run);

/// "charge_sums": "32 bits" or "64 bits", the width that the charge of any module needs if clusters are cut
/// by charge. "module_pixels": the part of a module that has digis. "block_digis": the longest piece of the
/// input that consists of whole modules.
Traits traits_of(const ClusterProblem& problem);
/// Of a problem of all these digis. @param cuts_charge clusters are cut by charge
Traits traits_of_digis(const ModuleDigis& digis, bool cuts_charge);

/// Splits by events or modules, the units of cuts().
ShareUnits units_of(const ClusterProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const ClusterProblem>& whole, std::size_t first,
                                       std::size_t end);
/// to_result() for a part: `label`, the columns of the table and `module_clusters`. Labels count from the
/// first row of the part. The numbers of digis without a cluster are facts.
Result part_result(const ClusterProblem& part, Array labels, ClusterTable table);
/// to_result() for the results of all parts. The fact digis_per_second refers to the time during which any
/// device was busy.
Result joined_clusters(const ClusterProblem& whole, std::vector<PartResult> parts,
                       std::vector<Timing>& timings);

/// Writes a run atomically. If the name ends in .csv: the labels, `index,module,label` in input order
/// (followed by `event` if the digis have events). Else HDF5: /entry/digis (module, label), /entry/clusters
/// (the table), /entry/modules (module, event, start, digis, clusters) and the record of the run.
void write_run(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Writes the table of clusters atomically: `label,module,size,charge,x,y,xmin,xmax,ymin,ymax` (and `event`);
/// x and y are centroids of pixel centres (index + 0.5), the box is of pixel indices, inclusive.
void write_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Reads back an HDF5 file of write_run. Throws ks::Error(input).
Run read_run(const std::filesystem::path& file);

}  // namespace ks::clusters
