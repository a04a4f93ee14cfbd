#pragma once

#include <QLineF>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/clusters/run_clusters.h"

namespace ks::ui::clusters {

/// The digis of one slot, prepared for drawing, with the clusters of a run if there is one.
struct ModuleViewData {
    /// A digi in a pixel; pixel (x, y) extends from x to x + 1.
    struct Digi {
        std::uint16_t x, y;
        std::uint32_t adc;
        std::uint32_t row;
        std::int32_t label;  ///< as in the result; `unlabelled` without a run
    };
    static constexpr std::int32_t unlabelled = -100;

    std::size_t slot = 0;
    std::uint64_t module = 0;
    std::uint32_t event = 0;
    std::uint32_t width = 0, height = 0;   ///< pixels along x and y
    std::uint32_t rocX = 0, rocY = 0;      ///< pixels of a read-out chip; 0: chips are not marked
    std::vector<Digi> digis;               ///< ordered by y, then x, then row
    std::vector<std::uint32_t> clusterOf;  ///< [digi], index into `clusters`; `noCluster`: none
    static constexpr std::uint32_t noCluster = 0xffffffff;
    std::vector<ks::clusters::Cluster> clusters;  ///< of the slot, ordered by label
    std::vector<std::uint32_t> inTable;           ///< [cluster], its index in the table of the run
    int run = 0;                                  ///< number of the run; 0: there is none

    /// First digi with this y or a larger one.
    std::size_t firstAt(std::uint32_t y) const;
    /// Digi at a pixel; if there are several, the first in the input. nullopt: none.
    std::optional<std::size_t> at(int x, int y) const;
    /// Index of the digi with this row; nullopt if it is not in this slot.
    std::optional<std::size_t> ofRow(std::uint32_t row) const;
    std::size_t copiesAt(std::size_t digi) const;  ///< digis in the same pixel, including this one
    /// [digi], sum of the charges of all digis in its pixel, adc
    std::vector<std::uint64_t> pixelCharges() const;
    /// Whether another digi of the same pixel comes before it in the input: maps draw a pixel once.
    bool isFurther(std::size_t digi) const {
        return digi > 0 && digis[digi - 1].x == digis[digi].x && digis[digi - 1].y == digis[digi].y;
    }
};

/// @param run null: labels are unknown
ModuleViewData moduleViewData(const DigiSet& digis, const RunClusters* run, std::size_t slot);

/// Edges between pixels of different groups, in pixel coordinates. group[digi]; `ModuleViewData::noCluster`:
/// not outlined. Long straight edges are one line.
std::vector<QLineF> outlines(const ModuleViewData& data, const std::vector<std::uint32_t>& group);

/// Outline of one cluster, an index of `clusters`; the box if it has very many digis.
std::vector<QLineF> outlineOf(const ModuleViewData& data, std::size_t cluster);

}  // namespace ks::ui::clusters
