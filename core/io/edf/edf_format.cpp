#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/damaged_frame.h"
#include "core/io/edf/edf_header.h"
#include "core/io/files/file_content.h"
#include "core/io/files/file_stamp.h"
#include "core/io/frame_format.h"
#include "core/io/header_numbers.h"
#include "core/io/stored_frames.h"
#include "core/io/swapped_bytes.h"

namespace ks::io {
namespace {

/// The images of an EDF file, all of equal size and type. All headers are read on opening, pixels image by
/// image.
class EdfFrames : public StoredFrames {
  public:
    /// Throws ks::Error(input) naming the file and the image: as read_edf_header() does, or images that
    /// differ.
    explicit EdfFrames(DataName name);

    std::string type_text() const override { return first_.byte ? "i8" : name_of(stored()); }
    std::string layout_text() const override {
        return fmt::format("{} image{}, {}{}", images_.size(), images_.size() == 1 ? "" : "s",
                           first_.swapped ? "high byte first" : "low byte first",
                           content_.compressed() ? ", " + content_.compression() : "");
    }
    bool reads_side_by_side() const override { return !content_.compressed(); }

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    FileContent content_;
    EdfHeader first_;
    struct Image {
        std::uint64_t at;  ///< in the content of the file
        bool swapped;      ///< big endian
    };
    std::vector<Image> images_;
};

std::string pixels_text(const EdfHeader& header) {
    return fmt::format("{} x {} {}", header.height, header.width, header.byte ? "i8" : name_of(header.type));
}

EdfFrames::EdfFrames(DataName given) : StoredFrames(std::move(given)), content_(name_.file) {
    // Before the headers are read, so that a change in between is detected.
    files_.add(name_.file);
    identity_ = file_stamp(name_.file);
    if (!is_edf(content_.peek(0, edf_start))) throw Error(ErrorKind::input, "not an EDF file", name());
    EdfHeaders headers(content_);
    while (const std::optional<EdfHeader> header = headers.next()) {
        if (images_.empty()) first_ = *header;
        if (!header->same_pixels(first_))
            throw Error(ErrorKind::input,
                        fmt::format("expected images of equal size and type, {}, found {} in image {}",
                                    pixels_text(first_), pixels_text(*header), images_.size()),
                        name());
        images_.push_back({header->data_at, header->swapped});
    }
    if (images_.empty())
        throw Error(ErrorKind::input, "expected an image, found a header without one", name());
    set_stack({images_.size(), first_.height, first_.width}, first_.type);
}

void EdfFrames::read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) {
    const std::size_t frame = into.size() / count, size = first_.value_bytes(), bytes = pixels() * size;
    for (std::size_t i = 0; i < count; ++i) {
        const std::span<std::byte> to = into.subspan(i * frame, frame);
        // Bytes that will be widened to two bytes each are read into the second half.
        const std::span<std::byte> packed = to.last(bytes);
        content_.read(images_[first + i].at, packed, name());
        if (first_.byte) {
            auto* wide = reinterpret_cast<std::int16_t*>(to.data());
            for (std::size_t k = 0; k < pixels(); ++k) {
                const int byte = std::to_integer<int>(packed[k]);
                wide[k] = static_cast<std::int16_t>(byte < 128 ? byte : byte - 256);
            }
        } else if (images_[first + i].swapped) {
            swap_bytes(packed, size);
        }
    }
}

/// Of the fields that the SAXS programs of the ESRF write.
std::optional<Geometry> edf_geometry(const DataName& frames, std::vector<GeometryFault>& faults) {
    FileContent content(frames.file);
    const std::optional<EdfHeader> header = EdfHeaders(content).next();
    if (!header || !header->fields.contains("center_1") || !header->fields.contains("center_2"))
        return std::nullopt;
    const HeaderGeometry read(frames.file.string(), faults);
    const auto text = [&](const char* small_name) -> std::optional<std::string> {
        const auto found = header->fields.find(small_name);
        return found == header->fields.end() ? std::nullopt : std::optional(found->second);
    };
    Geometry geometry;
    geometry.beam_x = read.centre("beam_x", "Center_1", *text("center_1")).value_or(0);
    geometry.beam_y = read.centre("beam_y", "Center_2", *text("center_2")).value_or(0);
    for (const auto& [name, part] : {std::pair{"offset_1", "beam_x"}, {"offset_2", "beam_y"}})
        if (const auto offset = text(name);
            offset && HeaderNumber::read(*offset).value_or(HeaderNumber{1}).value != 0)
            read.fault(part, fmt::format("expected no {}, or 0, found {}", name, *offset));
    const auto length = [&](const char* part, const char* field, const char* small_name) {
        const auto found = text(small_name);
        return found ? read.above_zero(part, field, *found, Quantity::length, "m") : 0;
    };
    geometry.pixel_size_x = micrometre_per_millimetre * length("pixel_size_x", "PSize_1", "psize_1");
    geometry.pixel_size_y = micrometre_per_millimetre * length("pixel_size_y", "PSize_2", "psize_2");
    geometry.distance = length("distance", "SampleDistance", "sampledistance");
    if (const auto wavelength = text("wavelength"))
        geometry.wavelength =
            read.above_zero("wavelength", "WaveLength", *wavelength, Quantity::wavelength, "m");
    return geometry;
}

}  // namespace

FrameFormat edf_format() {
    FrameFormat format;
    format.id = "edf";
    format.title = "EDF";
    format.noun = "an EDF file";
    format.suffixes = {".edf", ".edf.gz", ".edf.bz2"};
    format.one_frame_per_file = true;
    format.sniff = [](const std::filesystem::path& file) { return is_edf(content_start(file, edf_start)); };
    format.open = open_as<EdfFrames>;
    format.geometry = edf_geometry;
    return format;
}

}  // namespace ks::io
