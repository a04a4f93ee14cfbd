#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ks::clusters {

/// Treatment of several digis of one module at the same pixel: all are kept (and are neighbours of each
/// other), or all copies at such a pixel are dropped before clustering.
enum class Duplicates { keep, drop };

/// Consecutive modules at the same distance from the beam: a barrel layer or a disk.
struct Layer {
    std::string name;              ///< "BL1", "E+2"
    std::uint32_t first = 0;       ///< module
    std::uint32_t modules = 0;     ///< number of modules
    std::uint32_t charge_cut = 0;  ///< minimum charge of a cluster to be kept, if charges are cut
};

/// A detector as data. Zero extents and zero modules mean "from the digis": then modules are those that
/// occur, and every coordinate is in range.
struct DetectorLayout {
    std::string id;     ///< "phase1"
    std::string title;  ///< "CMS Phase 1"
    std::uint32_t modules = 0;
    std::uint32_t extent_x = 0, extent_y = 0;  ///< pixels of a module: x in [0, extent_x), y in [0, extent_y)
    std::uint32_t roc_x = 0, roc_y = 0;        ///< pixels of a read-out chip; 0: the module is a single chip
    std::vector<Layer> layers;                 ///< in the order of modules, without gaps; empty: no layers
    std::vector<std::uint32_t> invalid_ids;    ///< module ids that mean "no valid digi"
    Duplicates duplicates = Duplicates::keep;  ///< as in the experiment

    /// Modules are numbered 0 .. modules - 1.
    bool fixed() const { return modules != 0; }
    bool is_invalid(std::uint64_t module_id) const;
    /// Index in `layers` of a module; 0 if there are no layers.
    std::size_t layer_of(std::uint64_t module_id) const;
};

/// free, timepix, phase1, phase2.
const std::vector<DetectorLayout>& layouts();
/// Throws ks::Error(input) listing the known layouts.
const DetectorLayout& layout_named(const std::string& id);

}  // namespace ks::clusters
