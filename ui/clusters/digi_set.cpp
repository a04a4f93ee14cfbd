#include "ui/clusters/digi_set.h"

#include <algorithm>
#include <limits>

namespace ks::ui::clusters {

using ks::clusters::ModuleDigis;

double layerNumber(const ks::clusters::DetectorLayout& layout, std::uint64_t module) {
    return layout.layers.empty() ? std::numeric_limits<double>::quiet_NaN()
                                 : static_cast<double>(layout.layer_of(module)) + 1;
}

QString layerName(const ks::clusters::DetectorLayout& layout, std::uint64_t module) {
    return layout.layers.empty() ? QString()
                                 : QString::fromStdString(layout.layers[layout.layer_of(module)].name);
}

DigiSet::DigiSet(std::shared_ptr<const ModuleDigis> digis)
    : digis_(std::move(digis)),
      offsets_(digis_->slot_module().size() + 1, 0),
      charge_(digis_->slot_module().size(), 0) {
    const auto slot = digis_->slot();
    for (const std::uint32_t s : slot)
        if (s != ModuleDigis::no_slot) ++offsets_[s + 1];
    for (std::size_t s = 0; s < slotCount(); ++s) offsets_[s + 1] += offsets_[s];
    rows_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    const auto& adc = digis_->table().adc;
    for (std::size_t row = 0; row < slot.size(); ++row) {
        const std::uint32_t s = slot[row];
        if (s == ModuleDigis::no_slot) continue;
        rows_[next[s]++] = static_cast<std::uint32_t>(row);
        charge_[s] += adc[row];
    }
    const auto& event = digis_->slot_event();
    for (std::size_t s = 0; s < event.size(); ++s)
        if (s == 0 || event[s] != event[s - 1]) firstSlot_.push_back(s);
    firstSlot_.push_back(event.size());
}

std::size_t DigiSet::eventOf(std::size_t slot) const {
    const auto above = std::upper_bound(firstSlot_.begin(), firstSlot_.end() - 1, slot);
    return static_cast<std::size_t>(above - firstSlot_.begin()) - 1;
}

std::optional<std::size_t> DigiSet::eventWithNumber(std::uint64_t number) const {
    const auto& numbers = digis_->slot_event();
    const auto first = std::ranges::lower_bound(numbers, number);
    if (first == numbers.end() || *first != number) return std::nullopt;
    return eventOf(static_cast<std::size_t>(first - numbers.begin()));
}

std::optional<std::size_t> DigiSet::slotOf(std::size_t event, std::uint64_t module) const {
    const auto& modules = digis_->slot_module();
    const auto begin = modules.begin() + static_cast<std::ptrdiff_t>(firstSlot(event));
    const auto end = modules.begin() + static_cast<std::ptrdiff_t>(endSlot(event));
    const auto at = std::lower_bound(begin, end, module);
    if (at == end || *at != module) return std::nullopt;
    return static_cast<std::size_t>(at - modules.begin());
}

std::size_t DigiSet::fullest(std::size_t event) const {
    const auto& digis = digis_->slot_digis();
    const auto begin = digis.begin() + static_cast<std::ptrdiff_t>(firstSlot(event));
    const auto end = digis.begin() + static_cast<std::ptrdiff_t>(endSlot(event));
    return static_cast<std::size_t>(std::max_element(begin, end) - digis.begin());
}

}  // namespace ks::ui::clusters
