#include "ui/clusters/charge_cut.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ks::ui::clusters {

using ks::clusters::DetectorLayout;

ChargeCut::ChargeCut(const std::string& text, const DetectorLayout& layout)
    : layout_(&layout), byLayer_(std::max<std::size_t>(layout.layers.size(), 1), 0) {
    const std::vector<std::uint32_t> cuts = ks::clusters::charge_cuts_from(text, layout);
    off_ = cuts.empty();
    for (std::size_t i = 0; i < byLayer_.size() && !off_; ++i)
        byLayer_[i] = cuts[layout.layers.empty() ? 0 : layout.layers[i].first];
}

std::vector<ChargeCut::Group> ChargeCut::groups() const {
    std::vector<Group> all;
    for (std::size_t layer = 0; layer < byLayer_.size(); ++layer) {
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const Group& g) { return g.cut == byLayer_[layer]; });
        if (same == all.end())
            all.push_back({byLayer_[layer], {layer}});
        else
            same->layers.push_back(layer);
    }
    return all;
}

void ChargeCut::set(const std::vector<std::size_t>& layers, std::uint32_t cut) {
    for (const std::size_t layer : layers) byLayer_[layer] = cut;
    off_ = std::all_of(byLayer_.begin(), byLayer_.end(), [](std::uint32_t one) { return one == 0; });
}

std::string ChargeCut::text() const {
    if (off_) return "off";
    const auto same = [this](std::size_t from) {
        return std::all_of(byLayer_.begin() + static_cast<std::ptrdiff_t>(from), byLayer_.end(),
                           [&](std::uint32_t cut) { return cut == byLayer_[from]; });
    };
    if (same(0)) return std::to_string(byLayer_[0]);
    if (same(1)) return std::to_string(byLayer_[0]) + "," + std::to_string(byLayer_[1]);
    std::string text;
    for (const std::uint32_t cut : byLayer_) {
        if (!text.empty()) text += ',';
        text += std::to_string(cut);
    }
    return text;
}

QString ChargeCut::name(const Group& group) const {
    if (layout_->layers.empty()) return {};
    if (group.layers.size() == layout_->layers.size())
        return QCoreApplication::translate("clusters", "all layers");
    const auto title = [this](std::size_t layer) {
        return QString::fromStdString(layout_->layers[layer].name);
    };
    if (group.layers.size() == 1) return title(group.layers[0]);
    const bool run = group.layers.back() - group.layers.front() + 1 == group.layers.size();
    if (run)
        return QCoreApplication::translate("clusters", "%1 to %2")
            .arg(title(group.layers.front()), title(group.layers.back()));
    return QCoreApplication::translate("clusters", "%1 layers").arg(group.layers.size());
}

std::uint32_t roundedCharge(double charge) {
    if (!(charge >= 1)) return 0;
    const double step = std::pow(10.0, std::max(0.0, std::floor(std::log10(charge)) - 2));
    return static_cast<std::uint32_t>(
        std::min(std::round(charge / step) * step, double{std::numeric_limits<std::uint32_t>::max()}));
}

}  // namespace ks::ui::clusters
