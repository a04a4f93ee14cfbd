#include "core/io/tiff/tiff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/io/files/atomic_file.h"
#include "core/io/tiff/tiff_file.h"

namespace ks::io {
namespace fs = std::filesystem;

Array read_tiff(const fs::path& path, const ShapeCheck& fits) {
    const TiffFile file(path);
    if (const unsigned pages = TIFFNumberOfDirectories(file); pages != 1)
        throw file.wrong(fmt::format("expected a TIFF file of one page, found {}", pages));
    const TiffLayout layout = file.layout();
    if (fits) fits({layout.height, layout.width});
    const ElementType type = file.type(layout);
    require_memory(array_bytes(size_of(type), {layout.height, layout.width}),
                   fmt::format("an image of {} x {} values", layout.height, layout.width), path.string());
    Array values(type, {layout.height, layout.width});
    file.read(layout, values.bytes());
    return values;
}

void write_tiff(AtomicFile& to, const Array& values) {
    constexpr std::size_t strip_bytes = std::size_t{1} << 18;
    TiffOutput output{to.descriptor()};
    const auto failed = [&](const TiffFile& file) {
        return output.error != 0
                   ? not_written(to.shown(), output.error)
                   : Error(ErrorKind::run, "writing failed: " + file.message(), to.shown().string());
    };
    TiffFile file(output);
    if (file == nullptr) throw failed(file);
    const std::size_t height = values.shape()[0], row_bytes = values.shape()[1] * size_of(values.type());
    const std::size_t rows =
        std::clamp<std::size_t>(strip_bytes / std::max<std::size_t>(row_bytes, 1), 1, height);
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(height));
    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(values.shape()[1]));
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, static_cast<int>(size_of(values.type()) * 8));
    TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(file, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rows));
    // libtiff may swap bytes in the buffer passed to it.
    std::vector<std::byte> strip;
    for (std::size_t row = 0, index = 0; row < height; row += rows, ++index) {
        const auto part = values.bytes().subspan(row * row_bytes, std::min(rows, height - row) * row_bytes);
        strip.assign(part.begin(), part.end());
        if (TIFFWriteEncodedStrip(file, static_cast<std::uint32_t>(index), strip.data(),
                                  static_cast<tmsize_t>(strip.size())) < 0)
            throw failed(file);
    }
    if (TIFFFlush(file) == 0) throw failed(file);
    file.close();
    if (!file.message().empty() || output.error != 0) throw failed(file);
}

}  // namespace ks::io
