#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

// PNG files made by libpng alone, so that the program does not vouch for itself.
namespace ks::tests {

struct PngChoice {
    int colour_type = PNG_COLOR_TYPE_RGB;
    int bits = 8;
    bool interlaced = false;
    std::vector<png_color> palette = {};
    std::vector<png_byte> opacity = {};  ///< of the palette's first colours
};

/// @param rows bytes as they are stored: [y][byte of a row]
inline void write_png_sample(const std::string& path, std::size_t width,
                             const std::vector<std::vector<std::uint8_t>>& rows, const PngChoice& choice) {
    std::FILE* const out = std::fopen(path.c_str(), "wb");
    ASSERT_NE(out, nullptr);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, out);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(rows.size()),
                 choice.bits, choice.colour_type,
                 choice.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!choice.palette.empty())
        png_set_PLTE(png, info, choice.palette.data(), static_cast<int>(choice.palette.size()));
    if (!choice.opacity.empty())
        png_set_tRNS(png, info, choice.opacity.data(), static_cast<int>(choice.opacity.size()), nullptr);
    png_set_gAMA(png, info, 0.7);  // which readers of bytes disregard
    png_write_info(png, info);
    std::vector<std::vector<std::uint8_t>> copies = rows;
    std::vector<png_bytep> pointers;
    for (auto& row : copies) pointers.push_back(row.data());
    png_write_image(png, pointers.data());
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    std::fclose(out);
}

/// Bytes of which no two neighbours are equal.
inline std::vector<std::vector<std::uint8_t>> png_rows(std::size_t bytes_of_a_row, std::size_t height) {
    std::vector<std::vector<std::uint8_t>> rows(height, std::vector<std::uint8_t>(bytes_of_a_row));
    std::size_t i = 0;
    for (auto& row : rows)
        for (std::uint8_t& byte : row) byte = static_cast<std::uint8_t>(i++ * 89 % 251);
    return rows;
}

inline std::vector<std::uint8_t> joined(const std::vector<std::vector<std::uint8_t>>& rows) {
    std::vector<std::uint8_t> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
}

}  // namespace ks::tests
