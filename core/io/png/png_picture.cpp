#include "core/io/png/png_picture.h"

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t signature_bytes = 8;

/// State shared by libpng's callbacks. Errors in libpng leave its functions by longjmp, so no frame on that
/// path may have a destructor: everything that must be freed is owned by PngReader.
struct PngState {
    png_structp png = nullptr;
    png_infop info = nullptr;
    const std::byte* next = nullptr;
    std::size_t left = 0;
    png_bytepp rows = nullptr;
    std::array<char, 128> message{};
};

extern "C" {
[[noreturn]] void keep_png_message(png_structp png, png_const_charp message) {
    auto& kept = static_cast<PngState*>(png_get_error_ptr(png))->message;
    std::strncpy(kept.data(), message, kept.size() - 1);
    png_longjmp(png, 1);
}
void drop_png_warning(png_structp, png_const_charp) {}
void take_png_bytes(png_structp png, png_bytep to, std::size_t count) {
    auto& state = *static_cast<PngState*>(png_get_io_ptr(png));
    if (count > state.left) png_error(png, "the file ends early");
    std::memcpy(to, state.next, count);
    state.next += count;
    state.left -= count;
}
}

/// False if libpng reported an error in the step.
bool succeeds(PngState& state, void (*step)(PngState&)) {
    if (setjmp(png_jmpbuf(state.png)) != 0) return false;
    step(state);
    return true;
}

void read_header(PngState& state) {
    // The limits are those of the memory, checked before anything is allocated.
    png_set_user_limits(state.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_read_info(state.png, state.info);
}

/// Converts any stored form to 8 bits of grey, RGB or RGBA.
void set_channels(PngState& state) {
    png_set_expand(state.png);
    const bool grey = (png_get_color_type(state.png, state.info) & PNG_COLOR_MASK_COLOR) == 0;
    const bool alpha = (png_get_color_type(state.png, state.info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                       png_get_valid(state.png, state.info, PNG_INFO_tRNS) != 0;
    if (grey && alpha) png_set_gray_to_rgb(state.png);
    png_set_interlace_handling(state.png);
    png_read_update_info(state.png, state.info);
}

void read_pixels(PngState& state) {
    png_read_image(state.png, state.rows);
    png_read_end(state.png, nullptr);
}

/// A file whose bytes are all in memory.
class PngReader {
  public:
    PngReader(fs::path file, std::span<const std::byte> bytes)
        : file_(std::move(file)), bytes_(bytes.size()) {
        state_.next = bytes.data();
        state_.left = bytes.size();
        state_.png =
            png_create_read_struct(PNG_LIBPNG_VER_STRING, &state_, keep_png_message, drop_png_warning);
        if (state_.png != nullptr) state_.info = png_create_info_struct(state_.png);
        if (state_.info == nullptr) {
            png_destroy_read_struct(&state_.png, nullptr, nullptr);
            throw Error(ErrorKind::run, "libpng has no memory", file_.string());
        }
        png_set_read_fn(state_.png, &state_, take_png_bytes);
    }
    ~PngReader() { png_destroy_read_struct(&state_.png, &state_.info, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    PngPicture read() {
        take(read_header);
        PngPicture picture;
        picture.width = png_get_image_width(state_.png, state_.info);
        picture.height = png_get_image_height(state_.png, state_.info);
        require_size(picture);
        take(set_channels);
        picture.channels = png_get_channels(state_.png, state_.info);
        const std::size_t row_bytes = picture.width * picture.channels;
        if (png_get_rowbytes(state_.png, state_.info) != row_bytes) throw damaged();
        picture.pixels.resize(picture.height * row_bytes);
        std::vector<png_bytep> rows;
        for (std::size_t y = 0; y < picture.height; ++y) rows.push_back(&picture.pixels[y * row_bytes]);
        state_.rows = rows.data();
        take(read_pixels);
        return picture;
    }

  private:
    void take(void (*step)(PngState&)) {
        if (!succeeds(state_, step)) throw damaged();
    }
    Error damaged() const {
        const std::string message = state_.message.data();
        return wrong("the PNG file is damaged or ends early" + (message.empty() ? "" : ": " + message));
    }
    Error wrong(const std::string& message) const { return {ErrorKind::input, message, file_.string()}; }

    /// Deflate expands data at most 1032-fold.
    void require_size(const PngPicture& picture) const {
        if (png_get_bit_depth(state_.png, state_.info) > 8)
            throw wrong("expected at most 8 bits per channel, found 16");
        const std::uint64_t stored =
            std::uint64_t{png_get_rowbytes(state_.png, state_.info)} * picture.height;
        if (stored / 1032 > bytes_)
            throw wrong(
                fmt::format("the PNG file is damaged or ends early: its {} bytes cannot hold {} x {} "
                            "pixels",
                            bytes_, picture.width, picture.height));
        require_memory(std::uint64_t{picture.width} * picture.height * 4 + std::uint64_t{picture.height} * 8,
                       fmt::format("a picture of {} x {} pixels", picture.width, picture.height),
                       file_.string());
    }

    fs::path file_;
    std::size_t bytes_;
    PngState state_;
};

}  // namespace

bool is_png(const fs::path& file) {
    const std::string start = peek_bytes(file, 0, signature_bytes);
    return start.size() == signature_bytes &&
           png_sig_cmp(reinterpret_cast<png_const_bytep>(start.data()), 0, signature_bytes) == 0;
}

PngPicture read_png(const fs::path& file) {
    require_regular(file, "a PNG file");
    const std::uint64_t size = fs::file_size(file);
    if (!is_png(file))
        throw Error(ErrorKind::input,
                    size == 0 ? "expected a PNG file, found an empty file" : "not a PNG file", file.string());
    require_memory(size, "a PNG file", file.string());
    std::vector<std::byte> bytes(size);
    read_bytes_at(file, 0, bytes, file.string());
    return PngReader(file, bytes).read();
}

}  // namespace ks::io
