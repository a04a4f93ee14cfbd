#include "core/xpcs/files/aps_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/element_type.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/raw_bytes.h"
#include "core/data/photon.h"
#include "core/data/valid_pixels.h"
#include "core/input/frame_input.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_record.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/rebin.h"

namespace ks::xpcs {
namespace {

constexpr std::size_t most_segments = 10;

/// The bins that have pixels.
struct Bins {
    std::vector<std::size_t> bins;     ///< their indices, ascending
    std::vector<std::int32_t> labels;  ///< [y][x], 1.. in their order; 0: in none
    std::vector<std::size_t> pixels;   ///< number of pixels of each
};

Bins bins_of(const CorrelationProblem& problem) {
    Bins all;
    const QPartition& partition = problem.partition();
    std::vector<std::int32_t> number(partition.bins() + 1, 0);
    for (std::size_t bin = 0; bin < partition.bins(); ++bin) {
        if (partition.bin_size(bin) == 0) continue;
        all.bins.push_back(bin);
        all.pixels.push_back(partition.bin_size(bin));
        number[bin + 1] = static_cast<std::int32_t>(all.bins.size());
    }
    all.labels = partition.labels();
    for (std::int32_t& label : all.labels) label = number[static_cast<std::size_t>(label)];
    return all;
}

/// Mean counts per pixel and frame.
struct Means {
    std::vector<double> image;     ///< [y][x]; 0 where no frame has a count
    std::vector<double> frames;    ///< [frame], over the pixels in bins; NaN: the frame is left out
    std::vector<double> segments;  ///< [segment][bin]; NaN: all its frames are left out
    std::vector<double> bins;      ///< [bin]
    std::size_t segment_count;
};

template <class T>
void add_frame(const T* frame, const Bins& bins, std::vector<double>& image,
               std::vector<std::uint64_t>& counts, std::vector<double>& bin_sums) {
    for (std::size_t pixel = 0; pixel < image.size(); ++pixel) {
        if (!is_count(frame[pixel])) continue;
        const auto value = static_cast<double>(frame[pixel]);
        image[pixel] += value;
        ++counts[pixel];
        if (const std::int32_t label = bins.labels[pixel]; label > 0)
            bin_sums[static_cast<std::size_t>(label) - 1] += value;
    }
}

Means means_of(const CorrelationProblem& problem, const Bins& bins, Progress& progress) {
    const std::size_t frames = problem.frames(), pixels = problem.height() * problem.width();
    const std::size_t n = bins.bins.size();
    Means means{std::vector<double>(pixels),
                std::vector<double>(frames, NAN),
                {},
                std::vector<double>(n),
                std::min(most_segments, frames)};
    means.segments.resize(means.segment_count * n);
    std::vector<std::size_t> used_in(means.segment_count);
    std::vector<std::uint64_t> counts(pixels);
    const auto in_bins = static_cast<double>(std::reduce(bins.pixels.begin(), bins.pixels.end()));
    RawBytes frame(pixels * size_of(problem.source_type()));
    for (std::size_t t = 0; t < frames; ++t) {
        progress.report(static_cast<double>(t) / static_cast<double>(frames), "mean image");
        if (!problem.used(t)) continue;
        problem.read(t, 1, {frame.data(), frame.size()});
        std::vector<double> sums(n);
        visit_element(problem.source_type(), [&](auto zero) {
            add_frame(reinterpret_cast<const decltype(zero)*>(frame.data()), bins, means.image, counts, sums);
        });
        means.frames[t] = std::reduce(sums.begin(), sums.end()) / in_bins;
        const std::size_t segment = t * means.segment_count / frames;
        ++used_in[segment];
        for (std::size_t bin = 0; bin < n; ++bin) {
            means.segments[segment * n + bin] += sums[bin];
            means.bins[bin] += sums[bin];
        }
    }
    const auto used = static_cast<double>(problem.scan()->used_frames());
    for (std::size_t pixel = 0; pixel < pixels; ++pixel)
        if (counts[pixel] > 0) means.image[pixel] /= static_cast<double>(counts[pixel]);
    for (std::size_t bin = 0; bin < n; ++bin) {
        const auto size = static_cast<double>(bins.pixels[bin]);
        means.bins[bin] /= used * size;
        for (std::size_t segment = 0; segment < means.segment_count; ++segment)
            means.segments[segment * n + bin] /= static_cast<double>(used_in[segment]) * size;
    }
    return means;
}

void write_curves(io::h5::Writer& out, const Run& run, const CorrelationProblem& problem, const Bins& bins) {
    const Array &g2 = run.result.at("g2").values, &errors = run.result.at("g2_err").values;
    const std::size_t count = g2.shape().at(1), n = bins.bins.size();
    const std::vector<double> values = g2.to_doubles(), deviations = errors.to_doubles();
    std::vector<std::int64_t> delays;
    std::vector<double> curves, curve_errors;
    const std::vector<double> all = delays_of(run.result);
    if (all.size() != count) throw Error(ErrorKind::run, "g2 and its delays have different shapes");
    for (std::size_t i = 0; i < count; ++i) {
        if (all[i] == 0) continue;
        delays.push_back(std::llround(all[i]));
        for (const std::size_t bin : bins.bins) {
            curves.push_back(values[bin * count + i]);
            curve_errors.push_back(deviations[bin * count + i]);
        }
    }
    out.array("/xpcs/multitau/delay_list", Array::of<std::int64_t>({delays.size()}, delays));
    out.array("/xpcs/multitau/normalized_g2", Array::of<double>({delays.size(), n}, curves));
    out.array("/xpcs/multitau/normalized_g2_err", Array::of<double>({delays.size(), n}, curve_errors));
    const auto whole = [&out](const std::string& path, std::size_t value) {
        out.array(path, Array::of<std::int64_t>({}, {static_cast<std::int64_t>(value)}));
    };
    whole("/xpcs/multitau/config/stride_frame", problem.reduction.stride);
    whole("/xpcs/multitau/config/avg_frame", problem.reduction.average);
}

void write_means(io::h5::Writer& out, const CorrelationProblem& problem, const Bins& bins,
                 Progress& progress) {
    const Means means = means_of(problem, bins, progress);
    const std::size_t frames = means.frames.size(), n = bins.bins.size();
    std::vector<double> over_time(frames);
    std::iota(over_time.begin(), over_time.end(), 0.0);
    over_time.insert(over_time.end(), means.frames.begin(), means.frames.end());
    out.array("/xpcs/spatial_mean/intensity_vs_time", Array::of<double>({2, frames}, over_time));
    out.array("/xpcs/temporal_mean/scattering_2d",
              Array::of<double>({1, problem.height(), problem.width()}, means.image), {}, true);
    out.array("/xpcs/temporal_mean/scattering_1d", Array::of<double>({n}, means.bins));
    out.array("/xpcs/temporal_mean/scattering_1d_segments",
              Array::of<double>({means.segment_count, n}, means.segments));
}

void write_qmap(io::h5::Writer& out, const CorrelationProblem& problem, const Bins& bins) {
    const Geometry& geometry = problem.geometry;
    const std::size_t n = bins.bins.size(), height = problem.height(), width = problem.width();
    const PixelMask ignored = problem.ignored ? problem.ignored->mask() : PixelMask();
    std::vector<std::uint8_t> mask(height * width, 1);
    for (std::size_t pixel = 0; pixel < ignored.ignore.size(); ++pixel)
        if (ignored.ignore[pixel] != 0) mask[pixel] = 0;
    std::vector<double> q, phi{0};
    for (const std::size_t bin : bins.bins) q.push_back(problem.meanings()[bin].q);
    std::vector<std::int64_t> index(n);
    std::iota(index.begin(), index.end(), std::int64_t{0});
    const std::vector<std::int64_t> number{static_cast<std::int64_t>(n), 1};
    const std::string group = "/xpcs/qmap/";
    out.array(group + "mask", Array::of<std::uint8_t>({height, width}, mask), {}, true);
    for (const std::string kind : {"dynamic", "static"}) {
        const std::string start = group + kind;
        out.array(start + "_roi_map", Array::of<std::int32_t>({height, width}, bins.labels), {}, true);
        out.array(start + "_v_list_dim0", Array::of<double>({n}, q), "1/angstrom");
        out.array(start + "_v_list_dim1", Array::of<double>({1}, phi), "degree");
        out.array(start + "_index_mapping", Array::of<std::int64_t>({n}, index));
        out.array(start + "_num_pts", Array::of<std::int64_t>({2}, number));
    }
    // There, the centre of the first pixel is at 0.
    out.number(group + "beam_center_x", geometry.beam_x - 0.5, "pixel");
    out.number(group + "beam_center_y", geometry.beam_y - 0.5, "pixel");
    out.number(group + "detector_distance", geometry.distance / 1000, "m");
    out.number(group + "pixel_size", geometry.mean_pixel_size() / 1000, "m");
    out.texts(group + "map_names", {"q", "phi"});
    out.texts(group + "map_units", {"1/Å", "°"});
    out.attribute("/xpcs/qmap", "hash",
                  hash_text(hash_of(std::as_bytes(std::span(bins.labels)), hash_of(q))));
}

void write_entry(io::h5::Writer& out, const Run& run, const CorrelationProblem& problem) {
    const Geometry& geometry = problem.geometry;
    out.group("/entry", "NXentry");
    out.text("/entry/program_name", "Kernelscope");
    out.attribute("/entry/program_name", "version", run.version);
    out.text("/entry/start_time", run.started);
    out.group("/entry/instrument", "NXinstrument");
    out.group("/entry/instrument/bluesky/metadata");  // how the viewer recognises such files
    const std::string detector = "/entry/instrument/detector_1";
    out.group(detector, "NXdetector");
    const double frame_time = *problem.frame_time / static_cast<double>(problem.reduction.step());
    out.number(detector + "/frame_time", frame_time, "s");
    out.number(detector + "/count_time", frame_time, "s");
    out.number(detector + "/x_pixel_size", geometry.pixel_size_x * 1e-6, "m");
    out.number(detector + "/y_pixel_size", geometry.pixel_size_y * 1e-6, "m");
    out.group("/entry/instrument/incident_beam", "NXbeam");
    out.number("/entry/instrument/incident_beam/incident_energy", kev_angstrom / geometry.wavelength, "keV");
}

}  // namespace

std::string why_no_aps(const Request& request) {
    const ParameterSet set = checked(analysis_info().parameters, request.parameters);
    if (rebin_of(set))
        return "needs delays in whole frames, but those of rebinned curves are means: omit --rebin";
    const InputRef& frames = io::required_input(request, "frames");
    if (!optional_real(set, "frame_time") && !io::open_source(frames)->frame_time())
        return "needs the frame time, which is not known: give --frame-time";
    const io::Experiment experiment = io::experiment_of(frames, set);
    if (!experiment.geometry.complete())
        return "needs the wavelength, the distance and the pixel size, which are not all known: "
               "give --wavelength, --distance and --pixel-size";
    const InputRef& bins = io::required_input(request, "partition");
    const bool rings = !bins.values && bins.name.starts_with("rings:");  // which have a centre
    return experiment.centred || rings
               ? ""
               : "needs the beam centre, which is not known: give --beam-x and --beam-y";
}

void write_aps(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    io::AtomicFile file(out, overwrite);
    if (const std::string why = why_no_aps(run.request); !why.empty())
        throw Error(ErrorKind::input, "the layout of APS 8-ID " + why, out.string());
    for (const FileRecord& one : run.files)
        if (!one.hash.empty() && !io::is_same_content(one, io::record_of(one.file)))
            throw Error(ErrorKind::input, one.file + " has changed since the run", out.string(), "run again");
    const std::shared_ptr<CorrelationProblem> problem = load_problem(run.request, progress);
    const Bins bins = bins_of(*problem);
    // Runs of older versions do not list their files.
    if (run.result.at("g2").values.shape().at(0) != problem->partition().bins())
        throw Error(ErrorKind::input, "the bins or the frames have changed since the run", out.string(),
                    "run again");
    io::h5::Writer writer(file.temporary(), out.string(), &progress);
    write_entry(writer, run, *problem);
    write_curves(writer, run, *problem, bins);
    write_qmap(writer, *problem, bins);
    write_means(writer, *problem, bins, progress);
    writer.close();
    file.commit(progress);
}

}  // namespace ks::xpcs
