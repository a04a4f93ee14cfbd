#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/hdf5/nexus.h"
#include "core/run/parameter_rows.h"
#include "core/xpcs/generator.h"

namespace ks::xpcs {
namespace {

using namespace ks::parameter;

/// Seconds; for diffusion, whose rates per frame depend on it.
constexpr double usual_frame_time = 0.001;

SyntheticSpec spec_of(const ParameterSet& set) {
    SyntheticSpec spec;
    spec.frames = static_cast<std::size_t>(integer(set, "frames"));
    spec.height = static_cast<std::size_t>(integer(set, "height"));
    spec.width = static_cast<std::size_t>(integer(set, "width"));
    spec.ring_width = real(set, "ring_width");
    spec.seed = static_cast<std::uint64_t>(integer(set, "seed"));
    spec.mean = real(set, "mean");
    spec.type = element_type_from(text(set, "type"));
    spec.frame_time = optional_real(set, "frame_time");
    spec.geometry = boolean(set, "geometry");
    spec.contrast = real(set, "contrast");
    spec.gamma_min = real(set, "gamma_min");
    spec.gamma_max = real(set, "gamma_max");
    spec.photons = boolean(set, "photons");
    if (const auto frame = optional_integer(set, "change_frame"))
        spec.change_frame = static_cast<std::size_t>(*frame);
    spec.change_factor = real(set, "change_factor");
    if (text(set, "kind") == "diffusion") {
        spec.diffusion = real(set, "diffusion");
        spec.geometry = true;
        if (!spec.frame_time) spec.frame_time = usual_frame_time;
    }
    if (spec.gamma_min > spec.gamma_max)
        throw Error(ErrorKind::input,
                    fmt::format("gamma_min must not exceed gamma_max, found {} and {}", spec.gamma_min,
                                spec.gamma_max),
                    "gamma_min");
    const std::size_t middle_row = spec.height / 2, middle_column = spec.width / 2;
    const double corner = std::hypot(static_cast<double>(middle_row), static_cast<double>(middle_column));
    if (corner < spec.ring_width)
        throw Error(
            ErrorKind::input,
            fmt::format("a frame of {} x {} pixels only extends to r = {:.1f}, so no ring of width {} fits",
                        spec.height, spec.width, corner, spec.ring_width),
            "ring_width");
    return spec;
}

/// @param shown name of the file in messages
void write(const SyntheticFrames& made, const SyntheticSpec& spec, bool speckle,
           const std::filesystem::path& file, const std::string& shown, const Progress& progress) {
    io::h5::Writer writer(file, shown, &progress);
    writer.attribute("/", "default", "entry");
    writer.group("/entry", "NXentry");
    writer.attribute("/entry", "default", "data");
    writer.group("/entry/data", "NXdata");
    writer.attribute("/entry/data", "signal", "data");
    {
        io::h5::Writer::Stack stack = writer.stack("/entry/data/data", made.stack.type(), spec.frames,
                                                   spec.height, spec.width, io::h5::fast_gzip);
        writer.put(stack, 0, made.stack.bytes());
        writer.finish(std::move(stack), "/entry/data/data");
    }
    writer.array("/entry/qmask", made.labels);
    if (spec.frame_time || spec.geometry) {
        writer.group("/entry/instrument", "NXinstrument");
        writer.group("/entry/instrument/detector", "NXdetector");
    }
    if (spec.frame_time) writer.number("/entry/instrument/detector/frame_time", *spec.frame_time, "s");
    if (spec.geometry) io::write_geometry(writer, usual_geometry(spec));
    if (speckle) {
        const std::size_t bins = made.gamma.size();
        writer.group("/entry/truth", "NXcollection");
        writer.array("/entry/truth/gamma", Array::of<double>({bins}, made.gamma));
        writer.array("/entry/truth/beta",
                     Array::of<double>({bins}, std::vector<double>(bins, spec.contrast)));
        if (spec.diffusion) writer.number("/entry/truth/diffusion", *spec.diffusion, "angstrom^2/s");
    }
    writer.close();
}

}  // namespace

std::vector<ParameterSpec> generator_parameters() {
    return {
        choice("kind", "Kind", {"seed", "speckle", "diffusion"},
               "seed: rings that pulsate, with Poisson counts; speckle: speckle that relaxes at a known rate "
               "in each bin; diffusion: speckle whose rates are D q^2, with the frame time and the geometry"),
        whole("frames", "Frames", "frames", 500, 1, 100000, "Number of frames"),
        whole("height", "Height", "px", 201, 1, 16384, "Number of pixel rows"),
        whole("width", "Width", "px", 241, 1, 16384, "Number of pixel columns"),
        number("ring_width", "Ring width", "px", 10, 0.5, 16384,
               "Width of the rings used as bins; pixels with a smaller r are ignored"),
        whole("seed", "Seed", "", 0, 0, 9e15, "The same seed gives the same file"),
        number("mean", "Mean counts", "counts", 10, 0, 60000,
               "Mean counts per pixel; seed: maximum of the pulsation at the centre, in addition to 1 count"),
        number("contrast", "Contrast", "", 0.2, 0, 1, "Speckle: g2 - 1 at delay 0 without photon noise"),
        number("gamma_min", "Min. rate", "1/frame", 0.005, 0, 100,
               "Speckle: relaxation rate of the first bin"),
        number("gamma_max", "Max. rate", "1/frame", 0.1, 0, 100, "Speckle: relaxation rate of the last bin"),
        number("diffusion", "Diffusion coefficient", "angstrom^2/s", 2.5e6, 0, 1e15,
               "Diffusion: D of the rates D q^2; the frame time is 0.001 s unless it is given"),
        optional_whole("change_frame", "Change at", "frames", "never", 1, 100000,
                       "Speckle and diffusion: the frame from which on all rates are multiplied by a factor"),
        number("change_factor", "Change of rates", "", 2, 0, 1e6,
               "Speckle and diffusion: the factor of the rates from the frame of the change on"),
        flag("photons", "Photon noise", true,
             "Speckle: use Poisson counts for the intensity instead of the rounded intensity"),
        optional_number("frame_time", "Frame time", "s", "not written", above_zero, 1e6,
                        "Time between frames, written to the file"),
        flag("geometry", "Geometry", false,
             "Write a geometry that defines q: beam at the centre of the rings, 1.55 angstrom, 5 m and "
             "pixels of 55 um"),
        choice("type", "Type", {"u8", "u16"}, "Pixel type; larger counts are clipped to its maximum")};
}

void generate_file(const ParameterSet& set, const std::filesystem::path& out, bool overwrite,
                   Progress& progress) {
    const SyntheticSpec spec = spec_of(set);
    io::AtomicFile file(out, overwrite);
    const bool speckle = text(set, "kind") != "seed";
    const SyntheticFrames made =
        speckle ? make_speckle_frames(spec, progress) : make_seed_frames(spec, progress);

    progress.report(0, "write");
    write(made, spec, speckle, file.temporary(), out.string(), progress);
    file.commit(progress);
    progress.report(1, "write");
}

}  // namespace ks::xpcs
