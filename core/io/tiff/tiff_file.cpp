#include "core/io/tiff/tiff_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <vector>

#include "core/base/host_memory.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

/// A damaged header can claim any size.
constexpr std::uint64_t max_pixels = std::uint64_t{1} << 29;

/// Receives libtiff's messages instead of the terminal. The first one gives the cause.
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

extern "C" {
tmsize_t output_read(thandle_t output, void* to, tmsize_t size) {
    return ::read(static_cast<TiffOutput*>(output)->number, to, static_cast<std::size_t>(size));
}
tmsize_t output_write(thandle_t output, void* from, tmsize_t size) {
    auto& out = *static_cast<TiffOutput*>(output);
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
    return static_cast<toff_t>(
        ::lseek(static_cast<TiffOutput*>(output)->number, static_cast<off_t>(to), from));
}
toff_t output_size(thandle_t output) {
    const off_t at = ::lseek(static_cast<TiffOutput*>(output)->number, 0, SEEK_CUR);
    const toff_t size = output_seek(output, 0, SEEK_END);
    ::lseek(static_cast<TiffOutput*>(output)->number, at, SEEK_SET);
    return size;
}
int output_close(thandle_t) {
    return 0;
}
}

}  // namespace

TiffFile::Options TiffFile::listening() {
    Options options(TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_message, message_.get());
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), drop_message, nullptr);
    return options;
}

TiffFile::TiffFile(const fs::path& path) : path_(path) {
    require_regular(path, "a TIFF file");
    kept_name_ = kept_name(path.string());
    const LibraryCall call("TIFF", kept_name_);
    const Options options = listening();
    // Not memory-mapped: a file that is truncated while it is read would end the program.
    tiff_ = TIFFOpenExt(path.c_str(), "rm", options.get());
    if (tiff_ == nullptr) throw wrong("not a TIFF file that can be read: " + message());
}

TiffFile::TiffFile(TiffOutput& output) {
    const Options options = listening();
    tiff_ = TIFFClientOpenExt("output", "wm", &output, output_read, output_write, output_seek, output_close,
                              output_size, nullptr, nullptr, options.get());
}

void TiffFile::close() {
    if (tiff_ != nullptr) TIFFClose(tiff_);
    tiff_ = nullptr;
}

Error TiffFile::damaged() const {
    return wrong("the TIFF file is damaged or ends early" + (message().empty() ? "" : ": " + message()));
}

TiffLayout TiffFile::layout() const {
    const LibraryCall call("TIFF", kept_name_);
    TiffLayout layout;
    std::uint16_t samples = 1;
    TIFFGetField(tiff_, TIFFTAG_IMAGELENGTH, &layout.height);
    TIFFGetField(tiff_, TIFFTAG_IMAGEWIDTH, &layout.width);
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_BITSPERSAMPLE, &layout.bits);
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_SAMPLEFORMAT, &layout.format);
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_SAMPLESPERPIXEL, &samples);
    if (layout.format == SAMPLEFORMAT_VOID) layout.format = SAMPLEFORMAT_UINT;
    if (samples != 1) throw wrong(fmt::format("expected one sample per pixel, found {}", samples));
    if (layout.bits != 8 && layout.bits != 16 && layout.bits != 32 && layout.bits != 64)
        throw wrong(fmt::format("expected 8, 16, 32 or 64 bits per pixel, found {}", layout.bits));
    if (std::uint64_t{layout.height} * layout.width > max_pixels)
        throw wrong(fmt::format("expected at most {} pixels, found {} x {}", max_pixels, layout.height,
                                layout.width));
    return layout;
}

ElementType TiffFile::type(const TiffLayout& layout) const {
    const auto of = [&layout](ElementType t8, ElementType t16, ElementType t32, ElementType t64) {
        return layout.bits == 8 ? t8 : layout.bits == 16 ? t16 : layout.bits == 32 ? t32 : t64;
    };
    using enum ElementType;
    if (layout.format == SAMPLEFORMAT_UINT) return of(u8, u16, u32, u64);
    if (layout.format == SAMPLEFORMAT_INT) return of(i16, i16, i32, i64);
    if (layout.format == SAMPLEFORMAT_IEEEFP && layout.bits >= 32) return layout.bits == 32 ? f32 : f64;
    throw wrong(
        fmt::format("expected integers, or floats of 32 or 64 bits, found sample format {} of {} bits",
                    layout.format, layout.bits));
}

std::string TiffFile::compression() const {
    std::uint16_t scheme = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_COMPRESSION, &scheme);
    if (scheme == COMPRESSION_NONE) return "uncompressed";
    const TIFFCodec* const codec = TIFFFindCODEC(scheme);
    return codec != nullptr ? codec->name : fmt::format("compression {}", scheme);
}

void TiffFile::read(const TiffLayout& layout, std::span<std::byte> into) const {
    const LibraryCall call("TIFF", kept_name_);
    message_->clear();  // of another page
    // Bytes that will be widened to two bytes each are read into the second half.
    const std::size_t values = std::size_t{layout.height} * layout.width;
    const std::span<std::byte> bytes = into.last(values * layout.pixel_bytes());
    if (TIFFIsTiled(tiff_) != 0)
        read_tiles(layout, bytes);
    else
        read_strips(layout, bytes);
    if (bytes.size() == into.size()) return;
    auto* wide = reinterpret_cast<std::int16_t*>(into.data());
    for (std::size_t i = 0; i < values; ++i) wide[i] = static_cast<std::int8_t>(bytes[i]);
}

void TiffFile::read_strips(const TiffLayout& layout, std::span<std::byte> into) const {
    const std::uint32_t strips = TIFFNumberOfStrips(tiff_);
    std::size_t at = 0;
    for (std::uint32_t strip = 0; strip < strips && at < into.size(); ++strip) {
        std::uint32_t rows = layout.height;
        TIFFGetFieldDefaulted(tiff_, TIFFTAG_ROWSPERSTRIP, &rows);
        const std::size_t row_bytes = layout.width * layout.pixel_bytes();
        const std::size_t wanted = std::min<std::size_t>(rows * row_bytes, into.size() - at);
        const tmsize_t got =
            TIFFReadEncodedStrip(tiff_, strip, into.data() + at, static_cast<tmsize_t>(wanted));
        if (got != static_cast<tmsize_t>(wanted)) throw damaged();
        at += wanted;
    }
    if (at != into.size()) throw damaged();
}

void TiffFile::read_tiles(const TiffLayout& layout, std::span<std::byte> into) const {
    std::uint32_t tile_height = 0, tile_width = 0;
    TIFFGetField(tiff_, TIFFTAG_TILELENGTH, &tile_height);
    TIFFGetField(tiff_, TIFFTAG_TILEWIDTH, &tile_width);
    if (tile_height == 0 || tile_width == 0 || std::uint64_t{tile_height} * tile_width > max_pixels)
        throw damaged();
    const std::size_t size = layout.pixel_bytes(), tile_bytes = std::size_t{tile_height} * tile_width * size;
    require_memory(tile_bytes, fmt::format("a tile of {} x {} pixels", tile_height, tile_width),
                   path_.string());
    std::vector<std::byte> tile(tile_bytes);
    for (std::uint32_t y = 0; y < layout.height; y += tile_height)
        for (std::uint32_t x = 0; x < layout.width; x += tile_width) {
            const tmsize_t got = TIFFReadEncodedTile(tiff_, TIFFComputeTile(tiff_, x, y, 0, 0), tile.data(),
                                                     static_cast<tmsize_t>(tile_bytes));
            if (got != static_cast<tmsize_t>(tile_bytes)) throw damaged();
            const std::size_t columns = std::min(tile_width, layout.width - x);
            const std::size_t rows = std::min(tile_height, layout.height - y);
            for (std::size_t row = 0; row < rows; ++row)
                std::memcpy(into.data() + ((y + row) * layout.width + x) * size,
                            tile.data() + row * tile_width * size, columns * size);
        }
}

}  // namespace ks::io
