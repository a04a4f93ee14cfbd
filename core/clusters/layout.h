#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ks::clusters {

/// What becomes of digis of one module at the same pixel: all stay (and are neighbours of each other), or all
/// copies of such a pixel leave before clusters are made.
enum class Duplicates { keep, drop };

/// Consecutive modules at the same distance from the beam: a barrel layer or a disk.
struct Layer {
    std::string name;              ///< "BL1", "E+2"
    std::uint32_t first = 0;       ///< module
    std::uint32_t modules = 0;     ///< how many
    std::uint32_t charge_cut = 0;  ///< a cluster is kept whose charge is at least this, where charges are cut
};

/// A detector as data. Zero extents and zero modules stand for "as the digis say": then modules are those
/// that occur, and no coordinate is out of range.
struct DetectorLayout {
    std::string id;     ///< "phase1"
    std::string title;  ///< "CMS Phase 1"
    std::uint32_t modules = 0;
    std::uint32_t extent_x = 0, extent_y = 0;  ///< pixels of a module: x in [0, extent_x), y in [0, extent_y)
    std::uint32_t roc_x = 0, roc_y = 0;        ///< pixels of a read-out chip; 0: the module is one
    std::vector<Layer> layers;                 ///< in the order of modules, without gaps; empty: no layers
    std::vector<std::uint32_t> invalid_ids;    ///< module ids that mean "no valid digi"
    Duplicates duplicates = Duplicates::keep;  ///< what the experiment does

    /// Modules are numbered 0 .. modules - 1.
    bool fixed() const { return modules != 0; }
    bool is_invalid(std::uint64_t module_id) const;
    /// Place in `layers` of a module; 0 where there are no layers.
    std::size_t layer_of(std::uint64_t module_id) const;
};

/// free, timepix, phase1, phase2.
const std::vector<DetectorLayout>& layouts();
/// Throws ks::Error(input) naming the layouts that there are.
const DetectorLayout& layout_named(const std::string& id);

}  // namespace ks::clusters
