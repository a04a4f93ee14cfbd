#include "core/clusters/problem.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/error.h"

namespace ks::clusters {

ClusterProblem::ClusterProblem(std::shared_ptr<const ModuleDigis> digis, ClusterSettings settings)
    : digis_(std::move(digis)), settings_(std::move(settings)) {
    if (settings_.connectivity != 4 && settings_.connectivity != 8)
        throw Error(ErrorKind::input, fmt::format("expected 8 or 4, found {}", settings_.connectivity),
                    "connectivity");
    const std::size_t cuts = settings_.charge_cuts.size(), wanted = layout().fixed() ? layout().modules : 1;
    if (cuts != 0 && cuts != wanted)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} charge cuts for layout {}, found {}", wanted, layout().id, cuts),
                    "charge_cut");
    if (settings_.record &&
        (*settings_.record < 0 || *settings_.record >= static_cast<std::int64_t>(slots())))
        throw Error(ErrorKind::input,
                    fmt::format("expected a module from 0 to {}, found {}",
                                static_cast<std::int64_t>(slots()) - 1, *settings_.record),
                    "record");
}

std::span<const ModuleDigis::Block> ClusterProblem::cuts() const {
    // Enough parts to balance the load of many devices, even if they differ in size.
    constexpr std::size_t many_events = 64;
    if (part_) return part_->cuts.empty() ? blocks() : std::span<const ModuleDigis::Block>(part_->cuts);
    if (blocks().size() >= many_events || digis_->slot_blocks().empty()) return blocks();
    return digis_->slot_blocks();
}

std::shared_ptr<const ClusterProblem> ClusterProblem::part(std::size_t first, std::size_t end) const {
    const std::span some = cuts().subspan(first, end - first);
    auto made = std::make_shared<ClusterProblem>(*this);
    if (some.size() == cuts().size()) return made;
    const ModuleDigis::Block &front = some.front(), &back = some.back();
    Part part{first_row() + front.first_row,
              back.first_row + back.rows - front.first_row,
              front.first_slot,
              back.first_slot + back.slots - front.first_slot,
              {some.begin(), some.end()},
              {}};
    for (ModuleDigis::Block& block : part.blocks) block.first_row -= front.first_row;
    if (cut_by_modules()) {
        part.cuts = std::move(part.blocks);
        part.blocks = {{0, part.rows, part.first_slot, part.slots}};
    }
    if (const auto record = settings_.record) {
        const auto slot = static_cast<std::size_t>(*record);
        if (slot < part.first_slot || slot >= part.first_slot + part.slots) made->settings_.record.reset();
    }
    made->part_ = std::move(part);
    return made;
}

}  // namespace ks::clusters
