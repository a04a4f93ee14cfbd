#include "core/io/frame_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/damaged_frame.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/file_stamp.h"
#include "core/io/stored_frames.h"
#include "core/io/tiff/tiff.h"
#include "core/io/tiff/tiff_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

/// Frames that are the pages of a TIFF file, all of equal size and type. The headers of all pages are read on
/// opening, pixels page by page.
class TiffFrames : public StoredFrames {
  public:
    /// Throws ks::Error(input) naming the file and the page: not TIFF, damaged or truncated, several samples
    /// per pixel, another number of bits, pages that differ, images without a page.
    explicit TiffFrames(DataName name);

    std::string type_text() const override;
    std::string layout_text() const override;

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    std::unique_ptr<TiffFile> file_;
    TiffLayout layout_;
    std::string compression_;
    std::vector<std::uint64_t> pages_;  ///< offset of each page's directory in the file
};

/// The number of images that ImageJ writes consecutively after a single directory; nothing if it is not
/// such a file.
std::optional<std::size_t> images_of_imagej(const TiffFile& file) {
    const char* text = nullptr;
    if (TIFFGetField(file, TIFFTAG_IMAGEDESCRIPTION, &text) != 1 || text == nullptr) return std::nullopt;
    const std::string_view description(text);
    constexpr std::string_view key = "\nimages=";
    const std::size_t at = description.find(key);
    if (!description.starts_with("ImageJ=") || at == std::string_view::npos) return std::nullopt;
    std::size_t images = 0;
    const char* const begin = description.data() + at + key.size();
    const bool number =
        std::from_chars(begin, description.data() + description.size(), images).ec == std::errc();
    return number ? std::optional(images) : std::nullopt;
}

std::string page_text(const TiffLayout& layout, ElementType type) {
    return fmt::format("{} x {} {}", layout.height, layout.width, name_of(type));
}

TiffFrames::TiffFrames(DataName given) : StoredFrames(std::move(given)) {
    // Before the headers are read, so that a change in between is detected.
    files_.add(name_.file);
    identity_ = file_stamp(name_.file);
    file_ = std::make_unique<TiffFile>(name_.file);
    const TiffFile& file = *file_;
    layout_ = file.layout();
    const ElementType type = file.type(layout_);
    compression_ = file.compression();
    const std::optional<std::size_t> images = images_of_imagej(file);
    while (true) {
        pages_.push_back(TIFFCurrentDirOffset(file));
        if (TIFFLastDirectory(file) != 0) break;
        if (TIFFReadDirectory(file) != 1) throw file.damaged();
        const TiffLayout layout = file.layout();
        if (layout != layout_)
            throw file.wrong(fmt::format("expected pages of equal size and type, {}, found {} on page {}",
                                         page_text(layout_, type), page_text(layout, file.type(layout)),
                                         pages_.size()));
    }
    if (images && *images > pages_.size())
        throw Error(
            ErrorKind::input,
            fmt::format("expected one page for each of the {} images in the description, found {} page{}",
                        *images, pages_.size(), pages_.size() == 1 ? "" : "s"),
            name(), "save the images as BigTIFF or as HDF5");
    set_stack({pages_.size(), layout_.height, layout_.width}, type);
}

std::string TiffFrames::type_text() const {
    return layout_.bits == 8 && stored() == ElementType::i16 ? "i8" : name_of(stored());
}

std::string TiffFrames::layout_text() const {
    return fmt::format("{} page{}, {}", pages_.size(), pages_.size() == 1 ? "" : "s", compression_);
}

void TiffFrames::read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) {
    const std::size_t bytes = into.size() / count;
    for (std::size_t i = 0; i < count; ++i) {
        try {
            if (TIFFSetSubDirectory(*file_, pages_[first + i]) != 1) throw file_->damaged();
            if (file_->layout() != layout_)
                throw file_->wrong("the page is stored differently than when the file was opened");
            file_->read(layout_, into.subspan(i * bytes, bytes));
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::input) throw;
            throw DamagedFrame(first + i, error.message(), name());
        }
    }
}

/// Of either byte order; 42 is TIFF and 43 is BigTIFF.
bool is_tiff(const fs::path& file) {
    using namespace std::string_view_literals;
    const std::string start = peek_bytes(file, 0, 4);
    return start == "II*\0"sv || start == "MM\0*"sv || start == "II+\0"sv || start == "MM\0+"sv;
}

/// Integers in the smallest unsigned type that holds them all: labels seldom need 32 bits.
void write_smallest(AtomicFile& file, const Array& image) {
    const std::vector<double> values = image.to_doubles();
    const double largest = values.empty() ? 0 : *std::ranges::max_element(values);
    const auto as = [&](auto zero) {
        using T = decltype(zero);
        Array narrow(element_type_of<T>(), image.shape());
        std::ranges::transform(values, narrow.as<T>().begin(),
                               [](double value) { return static_cast<T>(value); });
        write_tiff(file, narrow);
    };
    if (largest <= 0xff) return as(std::uint8_t{});
    if (largest <= 0xffff) return as(std::uint16_t{});
    as(std::uint32_t{});
}

}  // namespace

FrameFormat tiff_format() {
    FrameFormat format;
    format.id = "tiff";
    format.title = "TIFF";
    format.noun = "a TIFF file";
    format.suffixes = {".tif", ".tiff"};
    format.one_frame_per_file = true;
    format.sniff = is_tiff;
    format.open = open_as<TiffFrames>;
    format.read_image = read_tiff;
    format.write_image = write_smallest;
    return format;
}

}  // namespace ks::io
