// Pictures from PNG files, good ones and every way of being wrong.

#include "core/io/png/png_picture.h"

#include <sys/stat.h>

#include "tests/core/io/io_fixture.h"
#include "tests/png_samples.h"

namespace ks::tests::png_pictures {
namespace {

using io::PngPicture;
using io::read_png;
using Bytes = std::vector<std::uint8_t>;

class PngPictures : public IoTest {};

/// The checksum of PNG, by its definition.
std::uint32_t crc32_of(const std::string& bytes) {
    std::uint32_t sum = 0xffffffff;
    for (const char byte : bytes) {
        sum ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? 0xedb88320 ^ (sum >> 1) : sum >> 1;
    }
    return ~sum;
}

TEST_F(PngPictures, have_the_bytes_that_were_written) {
    const std::vector<std::pair<int, std::size_t>> kinds = {
        {PNG_COLOR_TYPE_GRAY, 1}, {PNG_COLOR_TYPE_RGB, 3}, {PNG_COLOR_TYPE_RGB_ALPHA, 4}};
    for (const auto& [type, channels] : kinds)
        for (const bool interlaced : {false, true})
            for (const auto& [width, height] : std::vector<std::pair<std::size_t, std::size_t>>{
                     {1, 1}, {2, 3}, {37, 19}, {64, 1}, {1, 65}, {1000, 3}}) {
                const auto rows = png_rows(width * channels, height);
                write_png_sample(at("x.png"), width, rows, {.colour_type = type, .interlaced = interlaced});
                EXPECT_TRUE(io::is_png(at("x.png")));
                const PngPicture picture = read_png(at("x.png"));
                EXPECT_EQ(picture.width, width);
                EXPECT_EQ(picture.height, height);
                EXPECT_EQ(picture.channels, channels);
                EXPECT_EQ(picture.pixels, joined(rows));
            }
}

TEST_F(PngPictures, of_other_kinds_become_grey_or_colours) {
    write_png_sample(at("x.png"), 2, {{10, 200, 30, 40}}, {.colour_type = PNG_COLOR_TYPE_GRAY_ALPHA});
    EXPECT_EQ(read_png(at("x.png")).channels, 4u);
    EXPECT_EQ(read_png(at("x.png")).pixels, (Bytes{10, 10, 10, 200, 30, 30, 30, 40}));
    write_png_sample(at("x.png"), 8, {{0b10110001}}, {.colour_type = PNG_COLOR_TYPE_GRAY, .bits = 1});
    EXPECT_EQ(read_png(at("x.png")).pixels, (Bytes{255, 0, 255, 255, 0, 0, 0, 255}));
    const std::vector<png_color> palette = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    write_png_sample(at("x.png"), 3, {{2, 0, 1}},
                     {.colour_type = PNG_COLOR_TYPE_PALETTE, .palette = palette});
    EXPECT_EQ(read_png(at("x.png")).pixels, (Bytes{7, 8, 9, 1, 2, 3, 4, 5, 6}));
    write_png_sample(at("x.png"), 2, {{1, 0}},
                     {.colour_type = PNG_COLOR_TYPE_PALETTE, .palette = palette, .opacity = {50}});
    EXPECT_EQ(read_png(at("x.png")).pixels, (Bytes{4, 5, 6, 255, 1, 2, 3, 50}));
    write_png_sample(at("x.png"), 1, {{1, 2}}, {.colour_type = PNG_COLOR_TYPE_GRAY, .bits = 16});
    EXPECT_TRUE(contains(input_error([&] { read_png(at("x.png")); }),
                         {"x.png", "expected at most 8 bits per channel, found 16"}));
}

TEST_F(PngPictures, that_end_at_any_length_are_refused) {
    for (const bool interlaced : {false, true}) {
        write_png_sample(at("x.png"), 23, png_rows(23 * 4, 11),
                         {.colour_type = PNG_COLOR_TYPE_RGB_ALPHA, .interlaced = interlaced});
        const std::string whole = read_bytes(at("x.png"));
        ASSERT_GT(whole.size(), 300u);
        for (std::size_t left = 0; left < whole.size(); ++left) {
            write_bytes(at("x.png"), whole.substr(0, left));
            const std::string error = input_error([&] { read_png(at("x.png")); });
            EXPECT_TRUE(contains(error, {at("x.png"), left == 0  ? "found an empty file"
                                                      : left < 8 ? "not a PNG file"
                                                                 : "is damaged or ends early: "}))
                << left;
        }
        write_bytes(at("x.png"), whole + "more");
        EXPECT_EQ(read_png(at("x.png")).pixels, joined(png_rows(23 * 4, 11)));
    }
}

TEST_F(PngPictures, that_are_damaged_do_not_end_the_program) {
    write_png_sample(at("x.png"), 23, png_rows(23 * 3, 11), {});
    const std::string whole = read_bytes(at("x.png"));
    std::size_t refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const int bit : {0, 7}) {
            std::string bytes = whole;
            bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
            write_bytes(at("x.png"), bytes);
            try {
                read_png(at("x.png"));
            } catch (const Error& error) {
                ++refused;
                EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
                EXPECT_TRUE(contains(error.what(), {at("x.png")}));
            }
        }
    EXPECT_GT(refused, whole.size());
}

TEST_F(PngPictures, that_claim_any_size_are_refused_before_memory_is_taken) {
    write_png_sample(at("x.png"), 3, png_rows(9, 2), {});
    std::string bytes = read_bytes(at("x.png"));
    // width and height, and the checksum of the header
    bytes.replace(16, 8, std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff", 8));
    const auto sum = crc32_of(bytes.substr(12, 17));
    for (std::size_t i = 0; i < 4; ++i) bytes[29 + i] = static_cast<char>(sum >> (24 - 8 * i));
    write_bytes(at("x.png"), bytes);
    EXPECT_TRUE(contains(input_error([&] { read_png(at("x.png")); }),
                         {"x.png", "cannot hold 2147483647 x 2147483647 pixels"}));
}

TEST_F(PngPictures, that_are_none_are_named) {
    write_bytes(at("text.png"), "a text of more than eight bytes");
    EXPECT_FALSE(io::is_png(at("text.png")));
    EXPECT_TRUE(contains(input_error([&] { read_png(at("text.png")); }), {"text.png", "not a PNG file"}));
    EXPECT_TRUE(contains(input_error([&] { read_png(at("none.png")); }), {"none.png", "no such file"}));
    EXPECT_TRUE(contains(input_error([&] { read_png(folder); }), {"found a directory"}));
    ASSERT_EQ(::mkfifo(at("pipe.png").c_str(), 0600), 0);
    EXPECT_FALSE(io::is_png(at("pipe.png")));
    EXPECT_TRUE(contains(input_error([&] { read_png(at("pipe.png")); }), {"is a pipe"}));
}

}  // namespace
}  // namespace ks::tests::png_pictures
