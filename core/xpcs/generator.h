#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/array.h"
#include "core/base/element_type.h"
#include "core/base/progress.h"
#include "core/data/geometry.h"
#include "core/run/parameter_spec.h"

namespace ks::xpcs {

/// Sizes and statistics of synthetic frames.
struct SyntheticSpec {
    std::size_t frames = 500, height = 201, width = 241;
    double ring_width = 10;  ///< pixels
    std::uint64_t seed = 0;
    double mean = 10;  ///< counts per pixel
    ElementType type =
        ElementType::u8;  ///< u8, u16 or u32; larger counts are clipped to the maximum of the type
    std::optional<double> frame_time = {};  ///< seconds; absent: not written
    bool geometry = false;                  ///< write the geometry of a typical experiment to the file
    // Speckle only:
    double contrast = 0.2;                      ///< beta, 0..1
    double gamma_min = 0.005, gamma_max = 0.1;  ///< rate per frame of the first and the last bin
    bool photons = true;                        ///< Poisson numbers instead of rounded intensities
    /// From this frame on, all rates are `change_factor` times as large; absent: they stay the same.
    std::optional<std::size_t> change_frame = {};
    double change_factor = 2;
    /// Diffusion coefficient in angstrom^2/s: the rate of a bin is then diffusion q^2, with q by
    /// usual_geometry(), and frame_time is required. gamma_min and gamma_max have no effect.
    std::optional<double> diffusion = {};
};

/// 8 keV, 5 m, pixels of 55 um; the beam is at the centre of the rings.
Geometry usual_geometry(const SyntheticSpec& spec);

/// Frames with their bins: label = floor(r / ring_width), with r relative to the centre of the middle pixel.
struct SyntheticFrames {
    Array stack;   ///< [frame][y][x]
    Array labels;  ///< [y][x], i32
    std::vector<double>
        gamma;  ///< speckle: rate per bin and frame, such that g2 - 1 = beta exp(-2 gamma delay)
};

/// The frames of the published correlator notebook: Poisson numbers of mean 1 + (1 - r/r_max) mean (1 + sin(q
/// s)) / 2, with s from 0 to 100 over the frames and q the bin; every bin is filled.
SyntheticFrames make_seed_frames(const SyntheticSpec& spec, Progress& progress);

/// Speckle of a relaxing sample: the field of every pixel is a complex Ornstein-Uhlenbeck process of unit
/// mean intensity, E(t+1) = a E(t) + sqrt(1 - a^2) xi, a = exp(-gamma_bin), and its intensity is mean (1
/// - c + c |E|^2), c = sqrt(beta). Rates increase linearly from gamma_min in the first bin to gamma_max
/// in the last, or are those of diffusion.
SyntheticFrames make_speckle_frames(const SyntheticSpec& spec, Progress& progress);

/// Parameters of `generate xpcs`.
std::vector<ParameterSpec> generator_parameters();
/// Writes /entry/data/data (NXdata), /entry/qmask and, for speckle, /entry/truth, atomically.
void generate_file(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                   Progress& progress);

}  // namespace ks::xpcs
