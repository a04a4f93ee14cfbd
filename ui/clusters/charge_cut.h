#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/clusters/core_clusters.h"

namespace ks::ui::clusters {

/// The parameter charge_cut split by layer, for interactive editing.
class ChargeCut {
  public:
    /// Layers with the same cut.
    struct Group {
        std::uint32_t cut;
        std::vector<std::size_t> layers;
    };

    /// Parses the text like ks::clusters::charge_cuts_from(). Throws ks::Error(input).
    ChargeCut(const std::string& text, const ks::clusters::DetectorLayout& layout);

    bool off() const { return off_; }
    std::uint32_t ofLayer(std::size_t layer) const { return byLayer_[layer]; }
    /// Ordered by the first layer of each; one group if nothing is cut.
    std::vector<Group> groups() const;
    /// Sets another cut for these layers.
    void set(const std::vector<std::size_t>& layers, std::uint32_t cut);
    /// The shortest equivalent text: "off", "N", "N,N", or one value per layer.
    std::string text() const;
    /// "BL1", "BL2 to E-3", "all layers".
    QString name(const Group& group) const;

  private:
    const ks::clusters::DetectorLayout* layout_;
    bool off_;
    std::vector<std::uint32_t> byLayer_;  ///< a single value if there are no layers
};

/// A charge rounded to three digits: the precision of a drag.
std::uint32_t roundedCharge(double charge);

}  // namespace ks::ui::clusters
