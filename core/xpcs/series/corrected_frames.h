#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/frame_source.h"
#include "core/data/partition/q_partition.h"
#include "core/io/series/file_states.h"
#include "core/run/analysis.h"
#include "core/run/request.h"
#include "core/xpcs/derived_frames.h"

namespace ks::xpcs {

/// One value per pixel, [y][x]: of a dark or a flat field.
struct DetectorField {
    InputRef input;
    std::string state;  ///< ks::file_state() of the file
    std::string name;   ///< "FILE::/path"
    std::vector<double> values;
    FileStates files;
};

/// The dark and the flat field of a request: counts become (counts - dark) / flat. A pixel is unusable if its
/// flat field is not above 0 or its dark field is not a number.
struct FieldCorrection {
    std::shared_ptr<const DetectorField> dark, flat;  ///< null: none; not both
    std::vector<std::uint8_t> unusable = {};          ///< [y][x], 1 for such pixels; empty: there are none
    std::size_t without_dark = 0, without_flat = 0;   ///< pixels that either makes unusable
    std::string key = {};                             ///< changes with the values

    /// The bins without unusable pixels. Throws ks::Error(input) if no pixel is left.
    QPartition usable(QPartition partition) const;
    /// A sentence about the unusable pixels of each field.
    std::vector<std::string> notices() const;
    /// Those that have been read.
    FileStates files() const;
};

/// The inputs "dark" and "flat", on the command line --dark and --flat.
std::vector<InputSpec> field_inputs();
/// Reads the fields of a request, of which several frames are averaged; a field that `before` has, too, is
/// not read again. Null: the request has none. Throws ks::Error(input) if a field has another shape than the
/// frames (naming both).
std::shared_ptr<const FieldCorrection> correction_of(const Request& request, const FrameSource& frames,
                                                     const std::shared_ptr<const FieldCorrection>& before,
                                                     Progress& progress);

/// The frames of a source as f32, corrected. What is no count, or at least the saturation, is NaN, and so are
/// unusable pixels.
class CorrectedFrames : public DerivedFrames {
  public:
    /// @param correction of the shape of the source
    /// @param first_invalid counts of the source from this one on are invalid
    CorrectedFrames(std::shared_ptr<FrameSource> source, std::shared_ptr<const FieldCorrection> correction,
                    double first_invalid);

    std::string identity() const override;
    ElementType type() const override { return ElementType::f32; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    std::shared_ptr<const FieldCorrection> correction_;
    double first_invalid_;
};

}  // namespace ks::xpcs
