#include "core/io/tiff/tiff.h"

#include <fmt/format.h>
#include <tiffio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

/// A damaged header can ask for any size.
constexpr std::uint64_t most_pixels = std::uint64_t{1} << 29;

/// libtiff's messages come here instead of to the terminal. The first one tells the cause.
extern "C" int keep_message(TIFF*, void* kept, const char*, const char* format, va_list values) {
    std::string text(512, '\0');
    const int length = std::vsnprintf(text.data(), text.size(), format, values);
    text.resize(std::min<std::size_t>(length > 0 ? static_cast<std::size_t>(length) : 0, text.size() - 1));
    while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
    if (std::string& first = *static_cast<std::string*>(kept); first.empty()) first = text;
    return 1;
}
extern "C" int drop_message(TIFF*, void*, const char*, const char*, va_list) {
    return 1;
}

/// A file that libtiff writes; by itself it does not tell why that fails.
struct Output {
    int number;
    int error = 0;  ///< errno of the first write that failed
};

extern "C" {
tmsize_t output_read(thandle_t output, void* to, tmsize_t size) {
    return ::read(static_cast<Output*>(output)->number, to, static_cast<std::size_t>(size));
}
tmsize_t output_write(thandle_t output, void* from, tmsize_t size) {
    auto& out = *static_cast<Output*>(output);
    tmsize_t done = 0;
    while (done < size && out.error == 0) {
        const ssize_t put =
            ::write(out.number, static_cast<std::byte*>(from) + done, static_cast<std::size_t>(size - done));
        if (put > 0)
            done += put;
        else if (put == 0 || errno != EINTR)
            out.error = put == 0 ? ENOSPC : errno;
    }
    return done;
}
toff_t output_seek(thandle_t output, toff_t to, int from) {
    return static_cast<toff_t>(::lseek(static_cast<Output*>(output)->number, static_cast<off_t>(to), from));
}
toff_t output_size(thandle_t output) {
    const off_t at = ::lseek(static_cast<Output*>(output)->number, 0, SEEK_CUR);
    const toff_t size = output_seek(output, 0, SEEK_END);
    ::lseek(static_cast<Output*>(output)->number, at, SEEK_SET);
    return size;
}
int output_close(thandle_t) {
    return 0;
}
}

/// An open file and what libtiff says about it.
class File {
  public:
    /// For reading.
    explicit File(const fs::path& path) {
        const Options options = listening();
        tiff_ = TIFFOpenExt(path.c_str(), "r", options.get());
    }
    /// For writing.
    explicit File(Output& output) {
        const Options options = listening();
        tiff_ = TIFFClientOpenExt("output", "wm", &output, output_read, output_write, output_seek,
                                  output_close, output_size, nullptr, nullptr, options.get());
    }
    ~File() { close(); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    void close() {
        if (tiff_ != nullptr) TIFFClose(tiff_);
        tiff_ = nullptr;
    }
    operator TIFF*() const { return tiff_; }
    const std::string& message() const { return message_; }

  private:
    using Options = std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)>;
    Options listening() {
        Options options(TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
        TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_message, &message_);
        TIFFOpenOptionsSetWarningHandlerExtR(options.get(), drop_message, nullptr);
        return options;
    }

    TIFF* tiff_ = nullptr;
    std::string message_;
};

Error wrong(const fs::path& file, const std::string& message) {
    return Error(ErrorKind::input, message, file.string());
}

Error damaged(const fs::path& path, const File& file) {
    return wrong(path, "the TIFF file is damaged or ends early" +
                           (file.message().empty() ? "" : ": " + file.message()));
}

struct Layout {
    std::uint32_t height = 0, width = 0;
    std::uint16_t bits = 1, format = SAMPLEFORMAT_UINT;
    std::size_t pixel_bytes() const { return bits / 8U; }
};

Layout layout_of(const File& file, const fs::path& path) {
    const unsigned pages = TIFFNumberOfDirectories(file);
    if (pages != 1) throw wrong(path, fmt::format("expected a TIFF file of one page, found {}", pages));
    Layout layout;
    std::uint16_t samples = 1;
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &layout.height);
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &layout.width);
    TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &layout.bits);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &layout.format);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    if (samples != 1) throw wrong(path, fmt::format("expected one sample a pixel, found {}", samples));
    if (layout.bits != 8 && layout.bits != 16 && layout.bits != 32)
        throw wrong(path, fmt::format("expected 8, 16 or 32 bits a pixel, found {}", layout.bits));
    if (std::uint64_t{layout.height} * layout.width > most_pixels)
        throw wrong(path, fmt::format("expected at most {} pixels, found {} x {}", most_pixels, layout.height,
                                      layout.width));
    return layout;
}

ElementType type_of(const Layout& layout, const fs::path& path) {
    const bool whole = layout.format == SAMPLEFORMAT_UINT || layout.format == SAMPLEFORMAT_VOID;
    if (whole)
        return layout.bits == 8 ? ElementType::u8 : layout.bits == 16 ? ElementType::u16 : ElementType::u32;
    if (layout.format == SAMPLEFORMAT_INT) return layout.bits == 32 ? ElementType::i32 : ElementType::i16;
    if (layout.format == SAMPLEFORMAT_IEEEFP && layout.bits == 32) return ElementType::f32;
    throw wrong(path, fmt::format("expected integers or 32-bit floats, found sample format {} of {} bits",
                                  layout.format, layout.bits));
}

void read_strips(const File& file, const fs::path& path, const Layout& layout, std::span<std::byte> into) {
    const std::uint32_t strips = TIFFNumberOfStrips(file);
    std::size_t at = 0;
    for (std::uint32_t strip = 0; strip < strips && at < into.size(); ++strip) {
        std::uint32_t rows = layout.height;
        TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &rows);
        const std::size_t row_bytes = layout.width * layout.pixel_bytes();
        const std::size_t wanted = std::min<std::size_t>(rows * row_bytes, into.size() - at);
        const tmsize_t got =
            TIFFReadEncodedStrip(file, strip, into.data() + at, static_cast<tmsize_t>(wanted));
        if (got != static_cast<tmsize_t>(wanted)) throw damaged(path, file);
        at += wanted;
    }
    if (at != into.size()) throw damaged(path, file);
}

void read_tiles(const File& file, const fs::path& path, const Layout& layout, std::span<std::byte> into) {
    std::uint32_t tile_height = 0, tile_width = 0;
    TIFFGetField(file, TIFFTAG_TILELENGTH, &tile_height);
    TIFFGetField(file, TIFFTAG_TILEWIDTH, &tile_width);
    if (tile_height == 0 || tile_width == 0 || std::uint64_t{tile_height} * tile_width > most_pixels)
        throw damaged(path, file);
    const std::size_t size = layout.pixel_bytes(), tile_bytes = std::size_t{tile_height} * tile_width * size;
    std::vector<std::byte> tile(tile_bytes);
    for (std::uint32_t y = 0; y < layout.height; y += tile_height)
        for (std::uint32_t x = 0; x < layout.width; x += tile_width) {
            const tmsize_t got = TIFFReadEncodedTile(file, TIFFComputeTile(file, x, y, 0, 0), tile.data(),
                                                     static_cast<tmsize_t>(tile_bytes));
            if (got != static_cast<tmsize_t>(tile_bytes)) throw damaged(path, file);
            const std::size_t columns = std::min(tile_width, layout.width - x);
            const std::size_t rows = std::min(tile_height, layout.height - y);
            for (std::size_t row = 0; row < rows; ++row)
                std::memcpy(into.data() + ((y + row) * layout.width + x) * size,
                            tile.data() + row * tile_width * size, columns * size);
        }
}

}  // namespace

Array read_tiff(const fs::path& path, const ShapeCheck& fits) {
    require_regular(path, "a TIFF file");
    const File file(path);
    if (file == nullptr)
        throw wrong(path, "expected a TIFF file that can be read, found something else: " + file.message());
    const Layout layout = layout_of(file, path);
    if (fits) fits({layout.height, layout.width});
    const ElementType type = type_of(layout, path);
    require_memory(array_bytes(size_of(type), {layout.height, layout.width}),
                   fmt::format("an image of {} x {} values", layout.height, layout.width), path.string());
    Array values(type, {layout.height, layout.width});
    std::vector<std::byte> bytes;
    const bool widened = values.bytes().size() != values.size() * layout.pixel_bytes();
    if (widened) bytes.resize(values.size());
    const std::span<std::byte> into = widened ? std::span(bytes) : values.bytes();
    if (TIFFIsTiled(file) != 0)
        read_tiles(file, path, layout, into);
    else
        read_strips(file, path, layout, into);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        values.as<std::int16_t>()[i] = static_cast<std::int8_t>(bytes[i]);
    return values;
}

void write_tiff(AtomicFile& to, const Array& values) {
    constexpr std::size_t strip_bytes = std::size_t{1} << 18;
    Output output{to.descriptor()};
    const auto failed = [&](const File& file) {
        return output.error != 0
                   ? not_written(to.shown(), output.error)
                   : Error(ErrorKind::run, "writing failed: " + file.message(), to.shown().string());
    };
    File file(output);
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
    // libtiff may swap bytes in the buffer that it is given.
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
