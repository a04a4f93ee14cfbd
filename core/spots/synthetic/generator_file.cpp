#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/raw_bytes.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/hdf5/nxmx.h"
#include "core/run/parameter_rows.h"
#include "core/spots/synthetic/generator.h"

namespace ks::spots {
namespace {

using namespace ks::parameter;

struct NamedCodec {
    const char* name;
    io::h5::Codec codec;
};
constexpr std::array<NamedCodec, 4> codecs{{{"gzip", io::h5::Codec::gzip},
                                            {"bslz4", io::h5::Codec::bslz4},
                                            {"zstd", io::h5::Codec::zstd},
                                            {"none", io::h5::Codec::none}}};

/// Two modules, one above the other, with a gap between them.
std::string with_a_gap(const SceneSpec& spec) {
    const std::size_t gap = std::max<std::size_t>(2, spec.height / 32 / 2 * 2) + spec.height % 2;
    return fmt::format("{},{},{},0", (spec.height - gap) / 2, spec.width, gap);
}

SceneSpec spec_of(const ParameterSet& set) {
    const auto size = [&set](const char* id) { return static_cast<std::size_t>(integer(set, id)); };
    SceneSpec spec;
    spec.frames = size("frames");
    spec.height = size("height");
    spec.width = size("width");
    spec.seed = static_cast<std::uint64_t>(integer(set, "seed"));
    spec.spots = size("spots");
    spec.grid = text(set, "layout") == "grid";
    spec.counts_min = real(set, "counts_min");
    spec.counts_max = real(set, "counts_max");
    spec.spot_sigma = real(set, "spot_sigma");
    spec.rocking_sigma = real(set, "rocking_sigma");
    spec.background = real(set, "background");
    spec.falloff = real(set, "falloff");
    spec.modules = text(set, "modules");
    if (spec.modules == "auto") spec.modules = with_a_gap(spec);
    spec.hot_pixels = size("hot_pixels");
    spec.dead_pixels = size("dead_pixels");
    spec.type = element_type_from(text(set, "type"));
    spec.wavelength = real(set, "wavelength");
    spec.distance = real(set, "distance");
    spec.pixel_size = real(set, "pixel_size");
    spec.beam_x = optional_real(set, "beam_x");
    spec.beam_y = optional_real(set, "beam_y");
    return spec;
}

void write_instrument(io::h5::Writer& out, const Scene& scene) {
    const SceneSpec& spec = scene.spec();
    const std::string instrument = "/entry/instrument", detector = instrument + "/detector";
    out.group(instrument, "NXinstrument");
    out.group(detector, "NXdetector");
    out.array(detector + "/pixel_mask", Array::of<std::uint32_t>({spec.height, spec.width}, scene.mask()), {},
              true);
    io::write_geometry(out, scene.geometry());
    // The largest values of unsigned types mark invalid pixels.
    const std::uint64_t largest = visit_element(spec.type, [](auto zero) {
        return static_cast<std::uint64_t>(std::numeric_limits<decltype(zero)>::max());
    });
    io::write_nxmx(out, {.frames = spec.frames,
                         .height = spec.height,
                         .width = spec.width,
                         .geometry = scene.geometry(),
                         .rotation_step = 0.1,
                         .sensor = io::NxmxSeries::Sensor{"Si", 0.45},
                         .largest_count = largest - 2});
}

void write_truth(io::h5::Writer& out, const Scene& scene) {
    const auto column = [&](const char* name, double TruthSpot::*member, const char* unit) {
        std::vector<double> values;
        for (const TruthSpot& spot : scene.truth()) values.push_back(spot.*member);
        out.array(std::string("/entry/truth/") + name, Array::of<double>({values.size()}, values), unit);
    };
    out.group("/entry/truth", "NXcollection");
    column("x", &TruthSpot::x, "px");
    column("y", &TruthSpot::y, "px");
    column("z", &TruthSpot::z, "frames");
    column("counts", &TruthSpot::counts, "counts");
    out.array("/entry/truth/hot_pixels", Array::of<std::uint32_t>({scene.hot().size()}, scene.hot()));
}

io::h5::Codec codec_from(const std::string& name) {
    const auto found = std::ranges::find(codecs, name, &NamedCodec::name);
    if (found == codecs.end()) throw Error(ErrorKind::input, "unknown codec " + name, "codec");
    return found->codec;
}

/// @param shown name of the file in messages
void write(const Scene& scene, io::h5::Codec codec, const std::filesystem::path& file,
           const std::string& shown, Progress& progress) {
    const SceneSpec& spec = scene.spec();
    io::h5::Writer out(file, shown, &progress);
    out.attribute("/", "default", "entry");
    out.group("/entry", "NXentry");
    out.attribute("/entry", "default", "data");
    out.group("/entry/data", "NXdata");
    out.attribute("/entry/data", "signal", "data");
    {
        io::h5::Writer::Stack stack =
            out.stack("/entry/data/data", spec.type, spec.frames, spec.height, spec.width, {codec, 1});
        const std::size_t bytes = stack.frame_bytes, at_once = io::h5::Writer::frames_at_once(bytes);
        RawBytes frames(at_once * bytes);
        for (std::size_t k = 0; k < spec.frames; k += at_once) {
            const std::size_t count = std::min(at_once, spec.frames - k);
            for (std::size_t i = 0; i < count; ++i) {
                progress.report(static_cast<double>(k + i) / static_cast<double>(spec.frames), "generate");
                scene.frame(k + i, {frames.data() + i * bytes, bytes}, progress);
            }
            out.put(stack, k, {frames.data(), count * bytes});
        }
        out.finish(std::move(stack), "/entry/data/data");
    }
    write_instrument(out, scene);
    write_truth(out, scene);
    out.close();
}

std::vector<ParameterSpec> scene_parameters() {
    return {whole("frames", "Frames", "frames", 10, 1, 100000, "Number of frames"),
            whole("height", "Height", "px", 1062, 8, 16384, "Number of pixel rows"),
            whole("width", "Width", "px", 1028, 8, 16384, "Number of pixel columns"),
            whole("seed", "Seed", "", 0, 0, 9e15, "The same seed gives the same file"),
            whole("spots", "Spots", "", 300, 0, 1e6, "Total number of spots in all frames"),
            choice("layout", "Layout", {"random", "grid"},
                   "random: anywhere on the modules; grid: at the nodes of a grid, centred in a frame"),
            number("counts_min", "Min. counts", "counts", 500, 1, 1e8,
                   "Minimum counts of a spot, summed over all frames"),
            number("counts_max", "Max. counts", "counts", 5000, 1, 1e8,
                   "Maximum counts of a spot, summed over all frames"),
            number("spot_sigma", "Spot width", "px", 1, 0.1, 20, "Sigma of the Gaussian in x and y"),
            number("rocking_sigma", "Rocking width", "frames", 0.6, 0.05, 100,
                   "Sigma of the Gaussian along frames")};
}

std::vector<ParameterSpec> detector_parameters() {
    return {
        number("background", "Background", "counts", 5, 0, 10000, "Mean counts per pixel at the beam centre"),
        number("falloff", "Falloff", "", 0.5, 0, 1,
               "Fraction of the background lost from the beam centre to the farthest corner"),
        words("modules", "Modules", "px", "auto",
              "H,W,GAP_Y,GAP_X: mask the gaps between modules of H x W; auto: one gap in the middle; whole: "
              "none"),
        whole("hot_pixels", "Hot pixels", "", 10, 0, 1e6, "Pixels with excess counts, not masked"),
        whole("dead_pixels", "Dead pixels", "", 50, 0, 1e6, "Masked pixels"),
        choice("type", "Type", {"u16", "u32", "i32"},
               "Type of the counts; masked pixels have the largest value of u16 or u32, or -1 for i32"),
        choice("codec", "Codec", {"gzip", "bslz4", "zstd", "none"},
               "Compression of the frames, one chunk each: gzip and zstd after a byte shuffle; bslz4 is LZ4 "
               "after a bit shuffle"),
        number("wavelength", "Wavelength", "angstrom", 0.9795, 0.01, 100, "Wavelength to write to the file"),
        number("distance", "Distance", "mm", 200, 1, 1e6, "Distance from the sample to the detector"),
        optional_number("beam_x", "Beam x", "px", "the middle", -1e6, 1e6, "Beam centre along columns"),
        optional_number("beam_y", "Beam y", "px", "the middle", -1e6, 1e6, "Beam centre along rows"),
        number("pixel_size", "Pixel size", "um", 75, 1, 1e5, "Size of the square pixels")};
}

}  // namespace

std::vector<ParameterSpec> generator_parameters() {
    std::vector<ParameterSpec> all = scene_parameters();
    for (ParameterSpec& more : detector_parameters()) all.push_back(std::move(more));
    return all;
}

void generate_file(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                   Progress& progress) {
    const Scene scene(spec_of(parameters));
    io::AtomicFile file(out, overwrite);
    write(scene, codec_from(text(parameters, "codec")), file.temporary(), out.string(), progress);
    file.commit(progress);
    progress.report(1, "generate");
}

}  // namespace ks::spots
