#include "core/io/frame_format.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/io/files/file_bytes.h"
#include "core/io/tiff/tiff.h"
#include "core/io/tiff/tiff_frames.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

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
    format.open = [](const DataName& name) -> std::shared_ptr<FrameSource> {
        return std::make_shared<TiffFrames>(name);
    };
    format.read_image = read_tiff;
    format.write_image = write_smallest;
    return format;
}

}  // namespace ks::io
