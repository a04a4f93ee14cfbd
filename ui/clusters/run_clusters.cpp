#include "ui/clusters/run_clusters.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace ks::ui::clusters {

using ks::clusters::Cluster;
using ks::clusters::ModuleDigis;

RunClusters::RunClusters(std::shared_ptr<const Run> run, int number, std::shared_ptr<const DigiSet> digis)
    : run_(std::move(run)), number_(number), digis_(std::move(digis)), offsets_(digis_->slotCount() + 1, 0) {
    labels_ = run_->result.at("label").values.as<std::int32_t>();
    if (labels_.size() != digis_->digis().size())
        throw Error(ErrorKind::run,
                    fmt::format("expected {} labels, found {}", digis_->digis().size(), labels_.size()),
                    "label");
    clusters_ = ks::clusters::clusters_of(run_->result);
    for (std::size_t i = 0; i < clusters_.size(); ++i)
        if (const std::uint32_t slot = slotOf(i); slot != ModuleDigis::no_slot) ++offsets_[slot + 1];
    for (std::size_t slot = 0; slot < digis_->slotCount(); ++slot) offsets_[slot + 1] += offsets_[slot];
    bySlot_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t i = 0; i < clusters_.size(); ++i)
        if (const std::uint32_t slot = slotOf(i); slot != ModuleDigis::no_slot)
            bySlot_[next[slot]++] = static_cast<std::uint32_t>(i);
}

// clusters_of() has verified that the label is a row.
std::uint32_t RunClusters::slotOf(std::size_t cluster) const {
    return digis_->digis().slot()[static_cast<std::size_t>(clusters_[cluster].label)];
}

int RunClusters::withLabel(std::int32_t label) const {
    const auto at =
        std::lower_bound(clusters_.begin(), clusters_.end(), label,
                         [](const Cluster& cluster, std::int32_t l) { return cluster.label < l; });
    return at == clusters_.end() || at->label != label ? -1 : static_cast<int>(at - clusters_.begin());
}

}  // namespace ks::ui::clusters
