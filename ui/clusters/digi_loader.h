#pragma once

#include <memory>
#include <string>

#include "ui/clusters/cluster_plots.h"
#include "ui/clusters/digi_set.h"

namespace ks::ui::clusters {

/// The layout that the digis suggest: phase1 if many modules have hits or the pixels end where its modules
/// do, timepix if more than half of a chip is hit, otherwise free.
const ks::clusters::DetectorLayout& likelyLayout(const DigiTable& digis);

/// Reads a file of digis. @param layout id; empty: the likely one. Throws ks::Error(input).
std::shared_ptr<const DigiSet> readDigiSet(const std::string& name, const std::string& layout);
/// The same digis in another layout. Throws ks::Error(input) if they do not fit.
std::shared_ptr<const DigiSet> inLayout(const DigiSet& digis, const std::string& layout);

/// The run's clusters and, if it cuts charges, those without a cut. Throws ks::Error(run).
ShownRun shownRun(const std::shared_ptr<const Run>& run, int number,
                  const std::shared_ptr<const DigiSet>& digis);

}  // namespace ks::ui::clusters
