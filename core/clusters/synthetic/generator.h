#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/clusters/layout.h"
#include "core/data/digi_table.h"
#include "core/run/parameter_spec.h"

namespace ks::clusters {

/// Synthetic events. The same parameters give the same digis on every machine.
struct EventSpec {
    DetectorLayout layout;  ///< with extents, and modules if it is fixed
    std::string shape = "random";
    std::size_t events = 1;
    std::size_t modules = 1;   ///< the first ones of the layout, which get the digis
    std::size_t digis = 0;     ///< per event, evenly over the modules; 0: as many as the shape has
    std::size_t clusters = 0;  ///< per event of random shape: isolated as far as there is room
    std::size_t duplicates = 0, invalid = 0;  ///< additional digis per event
    /// Not "none": each event has one more module, with digis that would be neighbours if a row or a column
    /// began where the last one ends, and with charges beyond 16 bits: 70000 and 2^31. With "32_bits" a
    /// cluster of two digis has the charge 2^32. With "lists", the digis of this module are beside more
    /// others than a list of neighbours may hold.
    std::string critical = "none";
    bool shuffled = true;
    std::uint64_t seed = 1;
};

/// Names of the shapes: random, snake, spiral, comb, checker, full, frame, overfull.
const std::vector<std::string>& shape_names();
/// Pixels (x, y) of an adversarial module along its path: snake (rows joined at alternating ends), spiral
/// (inwards), comb (a spine with teeth), checker (pixels that touch at corners), full, frame (nested
/// borders), overfull (full, and half of it a second time).
std::vector<std::pair<std::uint16_t, std::uint16_t>> shape_pixels(const std::string& shape,
                                                                  std::uint32_t extent_x,
                                                                  std::uint32_t extent_y);

/// Throws ks::Error(input) if a shape, a layout or its modules cannot hold the requested digis, or if modules
/// are smaller than 8 x 8 pixels and critical digis were requested.
DigiTable make_events(const EventSpec& spec, Progress& progress);

/// How digis are critical, for EventSpec::critical.
ParameterSpec critical_parameter();
/// Parameters of `generate` and sizes of `bench`.
std::vector<ParameterSpec> event_parameters(ParameterSpec layout, std::int64_t events);
/// From a complete set of these parameters, and of "critical" if that is among them. Throws ks::Error(input).
EventSpec event_spec_from(const ParameterSet& set);

/// Writes events in the format of write_digis().
void generate_file(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                   Progress& progress);

}  // namespace ks::clusters
