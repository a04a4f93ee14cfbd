#include "core/spots/dials/dials_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/input/frame_input.h"
#include "core/input/frame_mask.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/data_name.h"
#include "core/io/files/sha256.h"
#include "core/io/frame_format.h"
#include "core/io/rotation.h"
#include "core/io/series/series.h"
#include "core/spots/dials/message_pack.h"
#include "core/spots/parameters.h"
#include "core/spots/results/spot_columns.h"

namespace ks::spots {
namespace fs = std::filesystem;
namespace {

/// What the files state about the experiment, with the parameters of the request.
struct Known {
    io::Experiment experiment;
    bool stills = false;
    std::optional<io::Rotation> rotation;
    std::vector<std::string> faults;
};

Known known_of(const Request& request, const ParameterSet& set) {
    const InputRef& frames = io::required_input(request, "frames");
    Known known{io::experiment_of(frames, set), boolean(set, "stills"), {}, {}};
    known.faults = known.experiment.faults;
    if (!known.stills) known.rotation = io::read_rotation(frames.name, known.faults);
    return known;
}

std::string missing_of(const Known& known) {
    const Geometry& geometry = known.experiment.geometry;
    std::vector<std::string> missing, options;
    const auto need = [&](bool there, const char* what, const char* option) {
        if (there) return;
        missing.emplace_back(what);
        options.emplace_back(option);
    };
    need(geometry.wavelength > 0, "the wavelength", "--wavelength");
    need(geometry.distance > 0, "the distance", "--distance");
    need(geometry.pixel_size_x > 0 && geometry.pixel_size_y > 0, "the pixel size", "--pixel-size");
    need(known.experiment.centred, "the beam centre", "--beam-x and --beam-y");
    need(known.stills || known.rotation, "the rotation angles of the frames",
         "--stills if the sample does not turn");
    if (missing.empty()) return {};
    std::string text =
        fmt::format("needs {}, which the data do not state; give {}", joined(missing), joined(options));
    if (!known.faults.empty()) text += "; a statement cannot be used: " + known.faults.front();
    return text;
}

/// Where the frames of the run are.
struct Images {
    std::vector<fs::path> files;  ///< per frame of the run, absolute
    std::optional<std::size_t>
        in_file;            ///< the first frame of the run in the only file; nothing: a file per frame
    std::string templated;  ///< of all files, with # for the number; or the only file
    std::int64_t first_number = 1;  ///< of the first frame of the run, as DIALS counts images
};

/// "img_####.cbf" of names that differ in a number of equal width, or of none.
std::string template_of(const io::Series& series) {
    const std::string first = series.files.front().file.filename().string();
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t at = first.size(); at-- > 0;) {
        if (!is_digit(first[at])) continue;
        const std::size_t end = at + 1;
        while (at > 0 && is_digit(first[at - 1])) --at;
        const std::string before = first.substr(0, at), after = first.substr(end);
        std::size_t width = end - at;
        for (const io::NumberedFile& one : series.files)
            width = std::min(width,
                             one.file.filename().string().size() -
                                 std::min(one.file.filename().string().size(), before.size() + after.size()));
        const bool all = std::ranges::all_of(series.files, [&](const io::NumberedFile& one) {
            return one.file.filename().string() ==
                   fmt::format("{}{:0{}}{}", before, one.number, width, after);
        });
        if (all) return before + std::string(width, '#') + after;
    }
    throw Error(ErrorKind::input,
                "expected file names whose numbers have equal widths, as DIALS does, found others",
                series.name.string());
}

Images images_of(const std::string& frames, std::size_t first, std::size_t count) {
    const io::DataName name = io::DataName::parse(frames);
    Images images;
    if (io::is_series(name.file)) {
        const io::Series series = io::find_series(name.file);
        const fs::path folder = fs::absolute(series.files.front().file).lexically_normal().parent_path();
        images.templated = (folder / template_of(series)).string();
        images.first_number = static_cast<std::int64_t>(series.first() + first);
        images.files.resize(count);
        for (const io::NumberedFile& one : series.files)
            if (const std::uint64_t frame = one.number - series.first();
                frame >= first && frame - first < count)
                images.files[frame - first] = folder / one.file.filename();
        return images;
    }
    const fs::path file = fs::absolute(name.file).lexically_normal();
    images.files.assign(count, file);
    images.templated = file.string();
    images.first_number = static_cast<std::int64_t>(first) + 1;
    const io::FrameFormat* const format = io::format_of({name.file, {}});
    if (format == nullptr || !format->one_frame_per_file || first + count > 1) images.in_file = first;
    return images;
}

nlohmann::json beam_of(const Geometry& geometry) {
    return {{"__id__", "monochromatic"},
            {"direction", {0.0, 0.0, 1.0}},
            {"wavelength", geometry.wavelength},
            {"divergence", 0.0},
            {"sigma_divergence", 0.0},
            {"polarization_normal", {0.0, 1.0, 0.0}},
            {"polarization_fraction", 0.999},
            {"flux", 0.0},
            {"transmission", 1.0},
            {"probe", "x-ray"}};
}

/// @param largest valid count
nlohmann::json detector_of(const Geometry& geometry, std::size_t height, std::size_t width, double largest) {
    const double x = geometry.pixel_size_x / micrometre_per_millimetre,
                 y = geometry.pixel_size_y / micrometre_per_millimetre;
    const auto part = [](const char* name, const char* type) {
        return nlohmann::json{{"name", name},
                              {"type", type},
                              {"raw_image_offset", {0, 0}},
                              {"thickness", 0.0},
                              {"material", ""},
                              {"mu", 0.0},
                              {"mask", nlohmann::json::array()},
                              {"identifier", ""},
                              {"gain", 1.0},
                              {"pedestal", 0.0},
                              {"px_mm_strategy", {{"type", "SimplePxMmStrategy"}}}};
    };
    nlohmann::json panel = part("Panel", "SENSOR_PAD"), whole = part("", "");
    panel.update({{"fast_axis", {1.0, 0.0, 0.0}},
                  {"slow_axis", {0.0, -1.0, 0.0}},
                  {"origin", {-geometry.beam_x * x, geometry.beam_y * y, -geometry.distance}},
                  {"image_size", {width, height}},
                  {"pixel_size", {x, y}},
                  {"trusted_range", {0.0, largest}}});
    whole.update({{"fast_axis", {1.0, 0.0, 0.0}},
                  {"slow_axis", {0.0, 1.0, 0.0}},
                  {"origin", {0.0, 0.0, 0.0}},
                  {"image_size", {0, 0}},
                  {"pixel_size", {0.0, 0.0}},
                  {"trusted_range", {0.0, 0.0}},
                  {"children", nlohmann::json::array({nlohmann::json{{"panel", 0}}})}});
    return {{"panels", nlohmann::json::array({panel})}, {"hierarchy", whole}};
}

nlohmann::json goniometer_of(const io::Rotation& rotation) {
    return {{"rotation_axis", rotation.axis},
            {"fixed_rotation", rotation.fixed},
            {"setting_rotation", rotation.setting}};
}

/// In the form without a table of properties, which every version of DIALS reads.
nlohmann::json scan_of(const io::Rotation& rotation, const Images& images, std::size_t first,
                       std::size_t frames) {
    const auto last = images.first_number + static_cast<std::int64_t>(frames) - 1;
    return {{"image_range", {images.first_number, last}},
            {"batch_offset", 0},
            {"oscillation", {rotation.start + rotation.step * static_cast<double>(first), rotation.step}},
            {"exposure_time", std::vector<double>(frames, rotation.exposure.value_or(0))},
            {"epochs", std::vector<double>(frames, 0)},
            {"valid_image_ranges", nlohmann::json::object()}};
}

nlohmann::json imageset(const char* kind) {
    nlohmann::json set{{"__id__", kind}, {"params", nlohmann::json::object()}};
    for (const char* none : {"mask", "gain", "pedestal", "dx", "dy"}) set[none] = nullptr;
    return set;
}

/// The highest valid count.
double largest_count(const Request& request, const ParameterSet& set, const FrameSource& source) {
    const double type = visit_element(source.type(), [](auto zero) {
        return static_cast<double>(std::numeric_limits<decltype(zero)>::max());
    });
    if (const auto given = optional_real(set, "saturation"))
        return std::min(type, is_float(source.type()) ? *given : std::ceil(*given) - 1);
    const auto fields = io::detector_fields(io::required_input(request, "frames"), source, false, nullptr);
    return std::min(type, fields->saturation.value_or(type));
}

/// A name that differs for other data and other runs: that of an experiment must not occur twice.
std::string identifier(const std::string& of_run, std::size_t experiment) {
    const std::string hash = io::sha256_of(fmt::format("{}\n{}", of_run, experiment));
    return fmt::format("{}-{}-{}-{}-{}", hash.substr(0, 8), hash.substr(8, 4), hash.substr(12, 4),
                       hash.substr(16, 4), hash.substr(20, 12));
}

/// The experiments of a run, and where its spots belong.
struct Experiments {
    nlohmann::json json;
    std::vector<std::string> identifiers;
    std::vector<std::int32_t> of_frame;  ///< of stills, per frame of the run
    double first_z = 0;                  ///< of a series: z of the first frame
};

void add_experiment(Experiments& all, const std::string& of_run, nlohmann::json set) {
    const std::size_t number = all.identifiers.size();
    all.identifiers.push_back(identifier(of_run, number));
    nlohmann::json experiment{{"__id__", "Experiment"},
                              {"identifier", all.identifiers.back()},
                              {"beam", 0},
                              {"detector", 0},
                              {"imageset", number}};
    for (const char* model : {"goniometer", "scan"})
        if (!all.json[model].empty()) experiment[model] = 0;
    all.json["experiment"].push_back(std::move(experiment));
    all.json["imageset"].push_back(std::move(set));
}

Experiments experiments_of(const Run& run, const Known& known, const ParameterSet& set) {
    const auto& facts = run.result.facts;
    const auto height = facts.value("height", std::size_t{0}), width = facts.value("width", std::size_t{0}),
               first = facts.value("first_frame", std::size_t{0});
    const auto missing = run.result.at("frame_missing").values.as<std::uint8_t>();
    const InputRef& frames = io::required_input(run.request, "frames");
    const std::shared_ptr<FrameSource> source = io::open_source(frames);
    const Images images = images_of(frames.name, first, missing.size());
    const std::string of_run = source->identity() + run.started + frames.name;
    Experiments all;
    all.json = {{"__id__", "ExperimentList"},
                {"beam", nlohmann::json::array({beam_of(known.experiment.geometry)})},
                {"detector", nlohmann::json::array({detector_of(known.experiment.geometry, height, width,
                                                                largest_count(run.request, set, *source))})}};
    for (const char* name :
         {"experiment", "imageset", "goniometer", "scan", "crystal", "profile", "scaling_model"})
        all.json[name] = nlohmann::json::array();
    if (known.rotation) {
        all.json["goniometer"].push_back(goniometer_of(*known.rotation));
        all.json["scan"].push_back(scan_of(*known.rotation, images, first, missing.size()));
        nlohmann::json sequence = imageset("ImageSequence");
        sequence["template"] = images.templated;
        if (images.in_file) {
            nlohmann::json indices = nlohmann::json::array();
            for (std::size_t i = 0; i < missing.size(); ++i) indices.push_back(*images.in_file + i);
            sequence["single_file_indices"] = std::move(indices);
        }
        add_experiment(all, of_run, std::move(sequence));
        all.first_z = static_cast<double>(images.first_number - 1);
        return all;
    }
    for (std::size_t i = 0; i < missing.size(); ++i) {
        all.of_frame.push_back(static_cast<std::int32_t>(all.identifiers.size()));
        if (missing[i] != 0) continue;
        nlohmann::json still = imageset("ImageSet");
        still["images"] = nlohmann::json::array({images.files[i].string()});
        if (images.in_file) still["single_file_indices"] = nlohmann::json::array({*images.in_file + i});
        add_experiment(all, of_run, std::move(still));
    }
    return all;
}

/// A column of the reflection table: the values of a row, written one after another.
struct Column {
    const char *name, *type;
    std::size_t row_bytes;
    std::function<void(const Spot&, std::vector<std::byte>&)> append;
};

template <class... Ts>
void append_values(std::vector<std::byte>& to, Ts... values) {
    const auto one = [&to](auto value) {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        to.insert(to.end(), bytes.begin(), bytes.end());
    };
    (one(values), ...);
}

/// DIALS gives a centroid of a single pixel the variance of that pixel.
double variance(double of_spot) {
    return of_spot < 0 ? 1.0 / 12 : of_spot;
}

std::vector<Column> columns_of(const Experiments& experiments) {
    constexpr std::uint64_t strong = 1 << 5;
    const bool stills = !experiments.of_frame.empty();
    const auto id = [&experiments, stills](const Spot& spot) {
        return stills ? experiments.of_frame.at(spot.z0) : std::int32_t{0};
    };
    // Each still is its own series, of one image.
    const auto z = [&experiments, stills](const Spot& spot, double own) {
        return stills ? own - spot.z0 : own + experiments.first_z;
    };
    const auto whole = [](double value) { return static_cast<std::int32_t>(value); };
    using Bytes = std::vector<std::byte>;
    constexpr std::size_t vector = 3 * sizeof(double);
    return {
        {"bbox", "int6", 6 * sizeof(std::int32_t),
         [=](const Spot& s, Bytes& to) {
             append_values(to, whole(s.x0), whole(s.x1), whole(s.y0), whole(s.y1), whole(z(s, s.z0)),
                           whole(z(s, s.z1)));
         }},
        {"flags", "std::size_t", sizeof strong, [=](const Spot&, Bytes& to) { append_values(to, strong); }},
        {"id", "int", sizeof(std::int32_t), [=](const Spot& s, Bytes& to) { append_values(to, id(s)); }},
        {"imageset_id", "int", sizeof(std::int32_t),
         [=](const Spot& s, Bytes& to) { append_values(to, id(s)); }},
        {"intensity.sum.value", "double", sizeof(double),
         [](const Spot& s, Bytes& to) { append_values(to, s.sum); }},
        {"intensity.sum.variance", "double", sizeof(double),
         [](const Spot& s, Bytes& to) { append_values(to, s.sum); }},
        {"n_signal", "int", sizeof(std::int32_t),
         [](const Spot& s, Bytes& to) { append_values(to, static_cast<std::int32_t>(s.n_signal)); }},
        {"panel", "std::size_t", sizeof(std::uint64_t),
         [](const Spot&, Bytes& to) { append_values(to, std::uint64_t{0}); }},
        {"xyzobs.px.value", "vec3<double>", vector,
         [=](const Spot& s, Bytes& to) { append_values(to, s.x, s.y, z(s, s.z)); }},
        {"xyzobs.px.variance", "vec3<double>", vector, [](const Spot& s, Bytes& to) {
             append_values(to, variance(s.var_x), variance(s.var_y), variance(s.var_z));
         }}};
}

void write_table(io::AtomicFile& file, const std::vector<Spot>& spots, const Experiments& experiments,
                 const Progress& progress) {
    constexpr std::size_t piece = std::size_t{1} << 16;  // rows
    const std::vector<Column> columns = columns_of(experiments);
    MessagePack out(file);
    out.array(3);
    out.text("dials::af::reflection_table");
    out.number(1);
    out.map(3);
    out.text("identifiers");
    out.map(static_cast<std::uint32_t>(experiments.identifiers.size()));
    for (std::size_t i = 0; i < experiments.identifiers.size(); ++i) {
        out.number(i);
        out.text(experiments.identifiers[i]);
    }
    out.text("nrows");
    out.number(spots.size());
    out.text("data");
    out.map(static_cast<std::uint32_t>(columns.size()));
    std::vector<std::byte> bytes;
    for (const Column& column : columns) {
        if (spots.size() > std::numeric_limits<std::uint32_t>::max() / column.row_bytes)
            throw Error(
                ErrorKind::run,
                fmt::format("expected at most {} spots, which a reflection table can hold, found {}",
                            std::numeric_limits<std::uint32_t>::max() / column.row_bytes, spots.size()),
                file.shown().string());
        out.text(column.name);
        out.array(2);
        out.text(column.type);
        out.array(2);
        out.number(spots.size());
        out.binary(static_cast<std::uint32_t>(spots.size() * column.row_bytes));
        for (std::size_t row = 0; row < spots.size();) {
            progress.check();
            bytes.clear();
            for (const std::size_t end = std::min(spots.size(), row + piece); row < end; ++row)
                column.append(spots[row], bytes);
            out.put(bytes);
        }
    }
    out.flush();
}

}  // namespace

std::string why_no_dials(const Request& request) {
    const InputRef& frames = io::required_input(request, "frames");
    if (frames.values) return "needs frames from a file";
    return missing_of(known_of(request, checked(analysis_info().parameters, request.parameters)));
}

void write_dials(const Run& run, const fs::path& prefix, bool overwrite, Progress& progress) {
    const ParameterSet set = checked(analysis_info().parameters, run.request.parameters);
    if (const std::string why = why_no_dials(run.request); !why.empty())
        throw Error(ErrorKind::input, "writing for DIALS " + why, prefix.string());
    const Experiments experiments = experiments_of(run, known_of(run.request, set), set);
    std::vector<Spot> spots = spots_of(run.result);
    std::erase_if(spots, [](const Spot& spot) { return spot.dropped != Dropped::kept; });
    io::AtomicFile table(prefix.string() + ".refl", overwrite), list(prefix.string() + ".expt", overwrite);
    write_table(table, spots, experiments, progress);
    list.write(dump_json(experiments.json, 2) + "\n");
    table.commit(progress);
    list.commit();
}

}  // namespace ks::spots
