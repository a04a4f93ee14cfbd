#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/clusters/core_clusters.h"

namespace ks::ui::clusters {

/// The parameter charge_cut by layer, for a hand that moves it.
class ChargeCut {
  public:
    /// Layers with the same cut.
    struct Group {
        std::uint32_t cut;
        std::vector<std::size_t> layers;
    };

    /// As ks::clusters::charge_cuts_from() reads it. Throws ks::Error(input).
    ChargeCut(const std::string& text, const ks::clusters::DetectorLayout& layout);

    bool off() const { return off_; }
    std::uint32_t ofLayer(std::size_t layer) const { return byLayer_[layer]; }
    /// By the first layer of each; one group where nothing is cut.
    std::vector<Group> groups() const;
    /// Another cut for these layers.
    void set(const std::vector<std::size_t>& layers, std::uint32_t cut);
    /// The shortest text that says the same: "off", "N", "N,N", or one a layer.
    std::string text() const;
    /// "BL1", "BL2 to E-3", "all layers".
    QString name(const Group& group) const;

  private:
    const ks::clusters::DetectorLayout* layout_;
    bool off_;
    std::vector<std::uint32_t> byLayer_;  ///< one where there are no layers
};

/// Three digits of a charge: what a hand can aim at.
std::uint32_t roundedCharge(double charge);

}  // namespace ks::ui::clusters
