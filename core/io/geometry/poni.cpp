#include "core/io/geometry/poni.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/trimmed.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_text.h"

namespace ks::io {
namespace {

constexpr double metre_per_angstrom = 1e-10, metre_per_micrometre = 1e-6, metre_per_millimetre = 1e-3;
/// The orientation of frames whose first pixel is at the origin of poni1 and poni2.
constexpr int usual_orientation = 3;
/// The largest distance, in pixels, by which the tilt may move a pixel relative to the rings.
constexpr double most_moved = 0.5;

/// The size of the pixels of detectors that files only name, by the beginning of the name, m.
struct KnownPixel {
    std::string_view start;
    double size;
};
constexpr KnownPixel known_pixels[] = {{"pilatus", 172e-6}, {"eiger", 75e-6},    {"maxipix", 55e-6},
                                       {"lambda", 55e-6},   {"jungfrau", 75e-6}, {"medipix", 55e-6}};

/// "Key: value" lines by key in lower case; the last one of each.
struct Lines {
    struct Line {
        std::string value;
        std::size_t number;
    };
    std::map<std::string, Line, std::less<>> all;
    std::string file;

    const Line* find(std::string_view key) const {
        const auto found = all.find(key);
        return found == all.end() ? nullptr : &found->second;
    }
    std::string at(const Line& line) const { return fmt::format("{}, line {}", file, line.number); }
};

Lines lines_of(const std::filesystem::path& file) {
    std::istringstream in(small_text(file, "a geometry file of pyFAI (.poni)", largest_report));
    Lines lines{{}, file.string()};
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const std::size_t colon = line.find(':');
        const std::string_view start = trimmed(line);
        if (start.empty() || start.front() == '#' || colon == std::string::npos) continue;
        std::string key = in_small_letters(trimmed(std::string_view(line).substr(0, colon)));
        lines.all[std::move(key)] = {std::string(trimmed(std::string_view(line).substr(colon + 1))), number};
    }
    return lines;
}

double number(const Lines& lines, const Lines::Line& line, std::string_view key) {
    double value = 0;
    const char* const end = line.value.data() + line.value.size();
    const auto [stop, error] = std::from_chars(line.value.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
        throw Error(ErrorKind::input, fmt::format("expected a number for {}, found '{}'", key, line.value),
                    lines.at(line));
    return value;
}

double required(const Lines& lines, const char* key) {
    const Lines::Line* const line = lines.find(in_small_letters(key));
    if (line == nullptr)
        throw Error(ErrorKind::input, fmt::format("expected a geometry of pyFAI, but there is no {}", key),
                    lines.file);
    return number(lines, *line, key);
}

std::optional<double> positive(const Lines& lines, const char* key) {
    const Lines::Line* const line = lines.find(key);
    if (line == nullptr || line->value == "None") return std::nullopt;
    const double value = number(lines, *line, key);
    if (!(value > 0))
        throw Error(ErrorKind::input, fmt::format("expected {} above 0, found {:g}", key, value),
                    lines.at(*line));
    return value;
}

/// What Detector_config, a JSON object, says about pixels and orientation.
void read_config(const Lines& lines, Poni& poni) {
    const Lines::Line* const line = lines.find("detector_config");
    if (line == nullptr) return;
    const auto config = nlohmann::json::parse(line->value, nullptr, false);
    if (!config.is_object())
        throw Error(ErrorKind::input,
                    fmt::format("expected a JSON object for Detector_config, found '{}'", line->value),
                    lines.at(*line));
    const auto size = [&](const char* key, std::optional<double>& into) {
        const auto found = config.find(key);
        if (found == config.end() || found->is_null()) return;
        if (!found->is_number() || !(found->get<double>() > 0))
            throw Error(
                ErrorKind::input,
                fmt::format("expected {} above 0 in Detector_config, found {}", key, dump_json(*found)),
                lines.at(*line));
        into = found->get<double>();
    };
    size("pixel1", poni.pixel1);
    size("pixel2", poni.pixel2);
    const auto orientation = config.find("orientation");
    if (orientation == config.end() || !orientation->is_number()) return;
    // 0: not stated
    if (const double value = orientation->get<double>(); value != 0 && value != usual_orientation)
        throw Error(ErrorKind::input,
                    fmt::format("expected a detector of orientation {}, found {:g}: its frames are flipped",
                                usual_orientation, value),
                    lines.at(*line), "calibrate with frames as they are stored");
}

std::optional<double> pixel_of_detector(const std::string& detector) {
    const std::string name = in_small_letters(detector);
    for (const KnownPixel& one : known_pixels)
        if (name.starts_with(one.start)) return one.size;
    return std::nullopt;
}

}  // namespace

// pyFAI turns (y, x, distance) about its axes 1, 2 and 3 in this order; the beam is along axis 3.
double Poni::tangent(double y, double x) const {
    const double p1 = y - poni1, p2 = x - poni2;
    const double s1 = std::sin(rot1), c1 = std::cos(rot1), s2 = std::sin(rot2), c2 = std::cos(rot2);
    const double t1 = p1 * c2 + p2 * s1 * s2 - distance * c1 * s2, t2 = p2 * c1 + distance * s1;
    const double t3 = p1 * s2 - p2 * c2 * s1 + distance * c1 * c2;
    return std::hypot(t1, t2) / t3;
}

Poni read_poni(const std::filesystem::path& file) {
    const Lines lines = lines_of(file);
    Poni poni;
    poni.distance = required(lines, "Distance");
    if (!(poni.distance > 0))
        throw Error(ErrorKind::input, fmt::format("expected a distance above 0, found {:g}", poni.distance),
                    lines.at(*lines.find("distance")));
    poni.poni1 = required(lines, "Poni1");
    poni.poni2 = required(lines, "Poni2");
    poni.rot1 = required(lines, "Rot1");
    poni.rot2 = required(lines, "Rot2");
    poni.rot3 = required(lines, "Rot3");
    poni.wavelength = positive(lines, "wavelength");
    poni.pixel1 = positive(lines, "pixelsize1");
    poni.pixel2 = positive(lines, "pixelsize2");
    if (const Lines::Line* const detector = lines.find("detector")) poni.detector = detector->value;
    read_config(lines, poni);
    if (!poni.pixel1) poni.pixel1 = pixel_of_detector(poni.detector);
    if (!poni.pixel2) poni.pixel2 = pixel_of_detector(poni.detector);
    return poni;
}

Geometry geometry_of(const Poni& poni, const Geometry& known, std::size_t height, std::size_t width,
                     const std::string& where) {
    const double pixel1 = poni.pixel1.value_or(known.pixel_size_y * metre_per_micrometre),
                 pixel2 = poni.pixel2.value_or(known.pixel_size_x * metre_per_micrometre);
    if (!(pixel1 > 0 && pixel2 > 0))
        throw Error(
            ErrorKind::input,
            poni.detector.empty()
                ? std::string("the size of the pixels is not stated")
                : fmt::format("the size of the pixels of the detector {} is not known", poni.detector),
            where, "enter the pixel size first");
    const double y = poni.poni1 + poni.distance * std::tan(poni.rot2) / std::cos(poni.rot1),
                 x = poni.poni2 - poni.distance * std::tan(poni.rot1);
    const double along_beam = poni.distance / (std::cos(poni.rot1) * std::cos(poni.rot2));
    double moved = 0;
    for (const double corner_y : {0.0, static_cast<double>(height) * pixel1})
        for (const double corner_x : {0.0, static_cast<double>(width) * pixel2}) {
            const double radius = std::hypot(corner_y - y, corner_x - x);
            const double tilted = poni.tangent(corner_y, corner_x) * along_beam;
            // Behind the sample, the tangent is negative.
            moved = std::max(moved, std::abs(tilted - radius) / std::min(pixel1, pixel2));
        }
    if (moved > most_moved)
        throw Error(ErrorKind::input,
                    fmt::format("the detector is tilted by {:.3g} degrees, which moves rings in the corner "
                                "of the frame by {:.2g} px; the geometry here is perpendicular to the beam, "
                                "which is good enough up to {:g} px",
                                std::acos(std::cos(poni.rot1) * std::cos(poni.rot2)) * 180 / std::acos(-1.0),
                                moved, most_moved),
                    where);
    Geometry geometry = known;
    geometry.distance = along_beam / metre_per_millimetre;
    geometry.beam_x = x / pixel2;
    geometry.beam_y = y / pixel1;
    geometry.pixel_size_x = pixel2 / metre_per_micrometre;
    geometry.pixel_size_y = pixel1 / metre_per_micrometre;
    if (poni.wavelength) geometry.wavelength = *poni.wavelength / metre_per_angstrom;
    return geometry;
}

std::string poni_text(const Geometry& geometry, std::size_t height, std::size_t width) {
    if (!(geometry.distance > 0 && geometry.pixel_size_x > 0 && geometry.pixel_size_y > 0))
        throw Error(ErrorKind::input,
                    "a geometry file of pyFAI needs the distance and the size of the pixels", "geometry",
                    "enter them first");
    const double pixel1 = geometry.pixel_size_y * metre_per_micrometre,
                 pixel2 = geometry.pixel_size_x * metre_per_micrometre;
    std::string text = fmt::format(
        "# Geometry of pyFAI, written by Kernelscope\n"
        "poni_version: 2\n"
        "Detector: Detector\n"
        "Detector_config: {{\"pixel1\": {}, \"pixel2\": {}, \"max_shape\": [{}, "
        "{}]}}\n"
        "Distance: {}\n"
        "Poni1: {}\n"
        "Poni2: {}\n"
        "Rot1: 0.0\n"
        "Rot2: 0.0\n"
        "Rot3: 0.0\n",
        pixel1, pixel2, height, width, geometry.distance * metre_per_millimetre, geometry.beam_y * pixel1,
        geometry.beam_x * pixel2);
    if (geometry.wavelength > 0)
        text += fmt::format("Wavelength: {}\n", geometry.wavelength * metre_per_angstrom);
    return text;
}

void write_poni(const Geometry& geometry, std::size_t height, std::size_t width,
                const std::filesystem::path& file, bool overwrite) {
    write_text(file, poni_text(geometry, height, width), overwrite);
}

}  // namespace ks::io
