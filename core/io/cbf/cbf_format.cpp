#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/printable.h"
#include "core/data/damaged_frame.h"
#include "core/io/cbf/cbf_header.h"
#include "core/io/describe_contents.h"
#include "core/io/files/file_content.h"
#include "core/io/files/file_stamp.h"
#include "core/io/frame_format.h"
#include "core/io/header_numbers.h"
#include "core/io/stored_frames.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

std::string cut_text(std::size_t pixel, std::size_t pixels) {
    return fmt::format("its compressed values end after {} of {} pixels", pixel, pixels);
}

/// Differences of neighbouring pixels in 1 byte each, or in 2, 4 or 8 bytes after one, two or three marks of
/// the least value of the shorter form.
/// @return why they are damaged; empty: they are not
template <class T, class Stored>
std::string decode_byte_offset(std::span<const std::byte> from, std::span<T> into) {
    std::size_t at = 0;
    std::int64_t value = 0;
    const auto take = [&](auto zero) -> std::optional<std::int64_t> {
        using Part = decltype(zero);
        if (from.size() - at < sizeof(Part)) return std::nullopt;
        Part part;
        std::memcpy(&part, from.data() + at, sizeof part);
        at += sizeof part;
        return part;
    };
    for (std::size_t i = 0; i < into.size(); ++i) {
        std::optional<std::int64_t> step = take(std::int8_t{});
        if (step == std::numeric_limits<std::int8_t>::min()) {
            step = take(std::int16_t{});
            if (step == std::numeric_limits<std::int16_t>::min()) {
                step = take(std::int32_t{});
                if (step == std::numeric_limits<std::int32_t>::min()) step = take(std::int64_t{});
            }
        }
        if (!step) return cut_text(i, into.size());
        value =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(*step));
        // Writers that subtract in 32 or 64 bits rely on sums that wrap around.
        if constexpr (sizeof(Stored) == 4)
            value = static_cast<Stored>(value);
        else if constexpr (sizeof(Stored) < 4) {
            if (value < std::numeric_limits<Stored>::min() || value > std::numeric_limits<Stored>::max())
                return fmt::format("pixel {} has a value beyond the type of the image", i);
        }
        into[i] = static_cast<T>(value);
    }
    if (at != from.size())
        return fmt::format("its compressed values are {} bytes longer than the {} pixels", from.size() - at,
                           into.size());
    return {};
}

/// The only image of a CBF file. The header is read once, the pixels when they are needed.
class CbfFrames : public StoredFrames {
  public:
    /// Throws ks::Error(input) as read_cbf_header() does.
    explicit CbfFrames(DataName name);

    std::string type_text() const override { return header_.byte ? "i8" : name_of(stored()); }
    std::string layout_text() const override {
        return fmt::format("byte offset, {}{}", bytes_text(header_.data_bytes),
                           content_.compressed() ? ", " + content_.compression() : "");
    }
    bool reads_side_by_side() const override { return true; }
    std::optional<double> frame_time() const override { return frame_time_; }
    std::optional<std::string> frame_time_fault() const override { return frame_time_fault_; }

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    FileContent content_;
    CbfHeader header_;
    std::optional<double> frame_time_;
    std::optional<std::string> frame_time_fault_;
};

CbfFrames::CbfFrames(DataName given) : StoredFrames(std::move(given)), content_(name_.file) {
    // Before the header is read, so that a change in between is detected.
    files_.add(name_.file);
    identity_ = file_stamp(name_.file);
    header_ = read_cbf_header(content_);
    content_.require_whole();
    set_stack({header_.height, header_.width}, header_.type);
    const auto period = header_.fields.find("Exposure_period");
    if (period == header_.fields.end()) return;
    std::vector<GeometryFault> faults;
    const double seconds =
        HeaderGeometry(name_.file.string(), faults)
            .above_zero("frame time", "Exposure_period", period->second, Quantity::time, "s");
    if (seconds > 0)
        frame_time_ = seconds;
    else
        frame_time_fault_ = faults.front().error.what();
}

void CbfFrames::read_stored(std::size_t first, std::size_t, std::span<std::byte> into) {
    require_memory(header_.data_bytes, fmt::format("a compressed image of {} x {} pixels", height(), width()),
                   name());
    std::vector<std::byte> packed(header_.data_bytes);
    content_.read(header_.data_at, packed, name());
    std::string why;
    visit_element(stored(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) {
            const std::span<T> values(reinterpret_cast<T*>(into.data()), pixels());
            why = header_.byte ? decode_byte_offset<T, std::int8_t>(packed, values)
                               : decode_byte_offset<T, T>(packed, values);
        }
    });
    if (!why.empty()) throw DamagedFrame(first, why, name());
}

bool is_cbf(const fs::path& file) {
    return content_start(file, cbf_magic.size()) == cbf_magic;
}

/// "172e-6 m x 172e-6 m" without its parts.
std::pair<std::string, std::string> two_in(const std::string& text, const std::string& between) {
    const std::size_t at = text.find(between);
    if (at == std::string::npos) return {text, {}};
    return {text.substr(0, at), text.substr(at + between.size())};
}

/// Of a header in the convention of PILATUS.
std::optional<Geometry> cbf_geometry(const DataName& frames, std::vector<GeometryFault>& faults) {
    FileContent content(frames.file);
    const CbfHeader header = read_cbf_header(content);
    const auto beam = header.fields.find("Beam_xy");
    if (beam == header.fields.end()) return std::nullopt;
    const HeaderGeometry read(frames.file.string(), faults);
    Geometry geometry;
    const auto [x, y] = two_in(beam->second, " ");
    geometry.beam_x = read.centre("beam_x", "Beam_xy", x).value_or(0);
    geometry.beam_y = read.centre("beam_y", "Beam_xy", y).value_or(0);
    if (const auto size = header.fields.find("Pixel_size"); size != header.fields.end()) {
        const auto [width, height] = two_in(size->second, " x ");
        const auto pixel = [&](const char* part, const std::string& text) {
            return micrometre_per_millimetre *
                   read.above_zero(part, "Pixel_size", text, Quantity::length, "m");
        };
        geometry.pixel_size_x = pixel("pixel_size_x", width);
        geometry.pixel_size_y = pixel("pixel_size_y", height);
    }
    if (const auto length = header.fields.find("Wavelength"); length != header.fields.end())
        geometry.wavelength =
            read.above_zero("wavelength", "Wavelength", length->second, Quantity::wavelength, "A");
    const auto distance = header.fields.find("Detector_distance"),
               turn = header.fields.find("Detector_2theta");
    const std::optional<HeaderNumber> angle =
        turn == header.fields.end() ? std::nullopt : HeaderNumber::read(turn->second);
    if (angle && angle->value != 0)
        read.fault("distance",
                   fmt::format("the detector is turned by {} degrees (Detector_2theta); only one that "
                               "is perpendicular to the beam can be used",
                               angle->value));
    else if (distance != header.fields.end())
        geometry.distance =
            read.above_zero("distance", "Detector_distance", distance->second, Quantity::length, "m");
    return geometry;
}

FilePixels cbf_pixels(const DataName& frames) {
    FilePixels pixels;
    FileContent content(frames.file);
    const CbfHeader header = read_cbf_header(content);
    const auto cutoff = header.fields.find("Count_cutoff");
    if (cutoff == header.fields.end()) return pixels;
    const std::optional<HeaderNumber> counts = HeaderNumber::read(cutoff->second);
    if (counts && counts->value > 0)
        pixels.saturation = counts->value;
    else
        pixels.faults.push_back(fmt::format("{}: expected a number above 0 in Count_cutoff, found \"{}\"",
                                            frames.file.string(), cutoff->second));
    return pixels;
}

/// Of a header in the convention of PILATUS; the sample turns about x, as DIALS takes it.
std::optional<Rotation> cbf_rotation(const DataName& frames, std::vector<std::string>& faults) {
    FileContent content(frames.file);
    const CbfHeader header = read_cbf_header(content);
    const auto degrees = [&](const char* field) -> std::optional<double> {
        const auto found = header.fields.find(field);
        const std::string text = found == header.fields.end() ? "none" : found->second;
        const std::optional<HeaderNumber> number = HeaderNumber::read(text);
        if (number && (number->unit.empty() || number->unit.starts_with("deg"))) return number->value;
        faults.push_back(fmt::format("{}: expected an angle in degrees in {}, found {}", frames.file.string(),
                                     field, printable(text)));
        return std::nullopt;
    };
    if (!header.fields.contains("Angle_increment")) return std::nullopt;
    const std::optional<double> step = degrees("Angle_increment");
    if (!step || *step == 0) return std::nullopt;
    const std::optional<double> start = degrees("Start_angle");
    if (!start) return std::nullopt;
    Rotation rotation{.start = *start, .step = *step};
    if (const auto time = header.fields.find("Exposure_time"); time != header.fields.end())
        if (const auto seconds = HeaderNumber::read(time->second); seconds && seconds->unit == "s")
            rotation.exposure = seconds->value;
    return rotation;
}

}  // namespace

FrameFormat cbf_format() {
    FrameFormat format;
    format.id = "cbf";
    format.title = "CBF";
    format.noun = "a CBF file";
    format.suffixes = {".cbf", ".cbf.gz", ".cbf.bz2"};
    format.one_frame_per_file = true;
    format.sniff = is_cbf;
    format.open = open_as<CbfFrames>;
    format.geometry = cbf_geometry;
    format.pixels = cbf_pixels;
    format.rotation = cbf_rotation;
    return format;
}

}  // namespace ks::io
