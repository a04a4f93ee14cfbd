#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/data/geometry.h"
#include "core/run/parameter_spec.h"
#include "core/spots/module_layout.h"

namespace ks::spots {

/// Poisson numbers for one mean from 32 random bits each, using a table of the distribution, for images of
/// many pixels. Probabilities are accurate to 2^-32, so rarer counts never occur.
class PoissonTable {
  public:
    explicit PoissonTable(double mean);  ///< >= 0

    std::uint32_t operator()(std::uint32_t random) const {
        std::uint32_t k = first_[random >> 24];
        while (random > last_[k]) ++k;
        return k;
    }

  private:
    std::vector<std::uint32_t> last_;         ///< by count: the largest random number that yields it
    std::array<std::uint32_t, 256> first_{};  ///< by the upper 8 bits: the smallest count they can yield
};

/// A synthetic rotation series. Lengths in pixels and frames.
struct SceneSpec {
    std::size_t frames = 10, height = 1062, width = 1028;
    std::uint64_t seed = 0;
    std::size_t spots = 300;                      ///< in the whole series
    bool grid = false;                            ///< at the nodes of a grid, else random positions
    double counts_min = 500, counts_max = 5000;   ///< per spot over all frames, uniformly distributed
    double spot_sigma = 1;                        ///< of the Gaussian in x and y
    double rocking_sigma = 0.6;                   ///< of the Gaussian along frames
    double background = 5;                        ///< mean counts at the beam centre
    double falloff = 0;                           ///< fraction lost towards the farthest corner
    std::string modules = "whole";                ///< in the format of ModuleLayout::parse()
    std::size_t hot_pixels = 0, dead_pixels = 0;  ///< dead ones are masked, hot ones are not
    ElementType type = ElementType::u16;          ///< u16, u32 or i32
    double wavelength = 0.9795, distance = 200, pixel_size = 75;  ///< angstrom, mm, um
    std::optional<double> beam_x = {}, beam_y = {};               ///< px; absent: centre of the frame
    Geometry geometry() const;
};

/// The position of a generated spot; pixel centres as in Spot.
struct TruthSpot {
    double x, y, z;
    double counts;  ///< expectation for an infinite detector and series
};

/// Generates the frames of a series individually; the same spec gives the same frames in any order and with
/// any number of threads.
class Scene {
  public:
    /// Throws ks::Error(input) for contradictory values.
    explicit Scene(SceneSpec spec);

    const SceneSpec& spec() const { return spec_; }
    const Geometry& geometry() const { return geometry_; }
    const std::vector<TruthSpot>& truth() const { return truth_; }
    /// [y][x] with the bits of NXdetector: 1 gap between modules, 2 dead.
    const std::vector<std::uint32_t>& mask() const { return mask_; }
    const std::vector<std::uint32_t>& hot() const { return hot_; }  ///< pixels with excess counts

    /// Generates a frame [y][x]: Poisson numbers for background and spots; masked pixels have the largest
    /// value of unsigned types and -1 for signed ones.
    void frame(std::size_t number, std::span<std::byte> out, Progress& progress) const;
    /// All frames [frame][y][x].
    Array stack(Progress& progress) const;

  private:
    TruthSpot place(std::size_t spot, double counts, const ModuleLayout& layout) const;
    double share(const TruthSpot& spot, std::size_t frame) const;
    std::vector<std::size_t> levels_of_row(std::size_t y) const;
    template <class T>
    void fill(std::size_t number, T* out, Progress& progress) const;
    template <class T>
    void add_spot(std::size_t spot, std::size_t number, T* out) const;

    SceneSpec spec_;
    Geometry geometry_;
    std::vector<TruthSpot> truth_;
    std::vector<std::uint32_t> mask_, hot_;
};

/// Parameters of `generate spots`.
std::vector<ParameterSpec> generator_parameters();
/// Writes /entry/data/data (NXdata, one chunk per frame, gzip), the pixel mask and the geometry under
/// /entry/instrument, and the generated spots under /entry/truth; atomically.
void generate_file(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                   Progress& progress);

}  // namespace ks::spots
