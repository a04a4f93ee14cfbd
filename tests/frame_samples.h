#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <tiffio.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/array.h"

/// Files of frames in each format, made without the program so that it does not vouch for itself.
namespace ks::tests {

/// "<u2" of NumPy.
inline std::string npy_descr(ElementType type, char order = '<') {
    const char kind = is_float(type) ? 'f' : is_signed(type) ? 'i' : 'u';
    return fmt::format("{}{}{}", size_of(type) == 1 ? '|' : order, kind, size_of(type));
}

/// A NumPy file of format 1.0 as numpy.save lays it out.
inline void write_npy_bytes(const std::string& path, const std::string& descr,
                            const std::vector<std::size_t>& shape, const std::string& values,
                            bool fortran = false) {
    std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", descr,
                    fortran ? "True" : "False", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    header.append(118 - header.size() - 1, ' ');
    std::ofstream(path, std::ios::binary) << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n'
                                          << values;
}

inline std::string text_of(const Array& array) {
    return {reinterpret_cast<const char*>(array.bytes().data()), array.bytes().size()};
}

inline void write_npy_sample(const std::string& path, const Array& stack) {
    write_npy_bytes(path, npy_descr(stack.type()), stack.shape(), text_of(stack));
}

struct TiffChoice {
    const char* mode = "w";  ///< of libtiff: "wb" big endian, "w8" BigTIFF
    int compression = COMPRESSION_NONE;
    bool tiled = false;
    std::string description = {};
};
inline void write_tiff_sample(const std::string& path, const Array& stack, const TiffChoice& choice) {
    const std::vector<std::size_t>& shape = stack.shape();
    const std::size_t pages = shape.size() == 3 ? shape[0] : 1, height = shape[shape.size() - 2],
                      width = shape.back(), size = size_of(stack.type());
    TIFF* const out = TIFFOpen(path.c_str(), choice.mode);
    ASSERT_NE(out, nullptr);
    const std::string bytes = text_of(stack);
    for (std::size_t page = 0; page < pages; ++page) {
        TIFFSetField(out, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(height));
        TIFFSetField(out, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(width));
        TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * size));
        TIFFSetField(out, TIFFTAG_SAMPLEFORMAT,
                     is_float(stack.type())    ? SAMPLEFORMAT_IEEEFP
                     : is_signed(stack.type()) ? SAMPLEFORMAT_INT
                                               : SAMPLEFORMAT_UINT);
        TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(out, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(out, TIFFTAG_COMPRESSION, choice.compression);
        if (!choice.description.empty() && page == 0)
            TIFFSetField(out, TIFFTAG_IMAGEDESCRIPTION, choice.description.c_str());
        std::string frame = bytes.substr(page * height * width * size, height * width * size);
        constexpr std::size_t side = 16;
        if (choice.tiled) {
            TIFFSetField(out, TIFFTAG_TILEWIDTH, static_cast<std::uint32_t>(side));
            TIFFSetField(out, TIFFTAG_TILELENGTH, static_cast<std::uint32_t>(side));
            for (std::size_t y = 0; y < height; y += side)
                for (std::size_t x = 0; x < width; x += side) {
                    std::string tile(side * side * size, '\0');
                    for (std::size_t i = 0; i < side && y + i < height; ++i)
                        frame.copy(tile.data() + i * side * size, std::min(side, width - x) * size,
                                   ((y + i) * width + x) * size);
                    ASSERT_GT(TIFFWriteTile(out, tile.data(), static_cast<std::uint32_t>(x),
                                            static_cast<std::uint32_t>(y), 0, 0),
                              0);
                }
        } else {
            TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, 3U);
            for (std::size_t y = 0; y < height; ++y)
                ASSERT_EQ(
                    TIFFWriteScanline(out, frame.data() + y * width * size, static_cast<std::uint32_t>(y), 0),
                    1);
        }
        TIFFWriteDirectory(out);
    }
    TIFFClose(out);
}

inline void write_hdf5_sample(const std::string& path, const Array& stack) {
    const auto native = [](ElementType type) -> hid_t {
        switch (type) {
            case ElementType::u8:
                return H5T_NATIVE_UINT8;
            case ElementType::u16:
                return H5T_NATIVE_UINT16;
            case ElementType::u32:
                return H5T_NATIVE_UINT32;
            case ElementType::u64:
                return H5T_NATIVE_UINT64;
            case ElementType::i16:
                return H5T_NATIVE_INT16;
            case ElementType::i32:
                return H5T_NATIVE_INT32;
            case ElementType::i64:
                return H5T_NATIVE_INT64;
            case ElementType::f32:
                return H5T_NATIVE_FLOAT;
            default:
                return H5T_NATIVE_DOUBLE;
        }
    };
    const std::vector<hsize_t> shape(stack.shape().begin(), stack.shape().end());
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t type = native(stack.type());
    const hid_t set = H5Dcreate2(file, "data", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, stack.bytes().data()), 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
}

/// A miniCBF file as detectors write it, with the values in byte offset compression.
/// @param fields lines of the header, "# Wavelength 1.5418 A"
inline void write_cbf_sample(const std::string& path, const Array& image, const std::string& fields = {}) {
    const std::string kind = is_signed(image.type()) ? "signed" : "unsigned";
    std::string packed;
    const auto add = [&packed](std::int64_t number, int bytes) {
        for (int i = 0; i < bytes; ++i) packed += static_cast<char>(number >> (8 * i) & 0xff);
    };
    std::int64_t before = 0;
    for (const double value : image.to_doubles()) {
        const std::int64_t now = static_cast<std::int64_t>(value), step = now - before;
        before = now;
        if (step >= -127 && step <= 127) {
            add(step, 1);
        } else if (step >= -32767 && step <= 32767) {
            add(-128, 1);
            add(step, 2);
        } else {
            add(-128, 1);
            add(-32768, 2);
            add(step, 4);
        }
    }
    const std::size_t height = image.shape()[0], width = image.shape()[1];
    std::ofstream(path, std::ios::binary)
        << "###CBF: VERSION 1.5, CBFlib v0.7.8 - SLS/DECTRIS PILATUS detectors\r\n\r\ndata_sample\r\n\r\n"
           "_array_data.header_convention \"PILATUS_1.2\"\r\n_array_data.header_contents\r\n;\r\n"
        << fields
        << fmt::format(
               ";\r\n\r\n_array_data.data\r\n;\r\n--CIF-BINARY-FORMAT-SECTION--\r\n"
               "Content-Type: application/octet-stream;\r\n     conversions=\"x-CBF_BYTE_OFFSET\"\r\n"
               "Content-Transfer-Encoding: BINARY\r\nX-Binary-Size: {}\r\nX-Binary-ID: 1\r\n"
               "X-Binary-Element-Type: \"{} {}-bit integer\"\r\n"
               "X-Binary-Element-Byte-Order: LITTLE_ENDIAN\r\nX-Binary-Number-of-Elements: {}\r\n"
               "X-Binary-Size-Fastest-Dimension: {}\r\nX-Binary-Size-Second-Dimension: {}\r\n"
               "X-Binary-Size-Padding: 0\r\n\r\n",
               packed.size(), kind, 8 * size_of(image.type()), height * width, width, height)
        << "\x0c\x1a\x04\xd5" << packed;
}

/// An EDF file as Lima and fabio write it: headers of 512 bytes each, "key = value ;".
inline void write_edf_sample(const std::string& path, const Array& stack, const std::string& fields = {},
                             bool swapped = false) {
    static const std::map<ElementType, const char*> names{
        {ElementType::u8, "UnsignedByte"},     {ElementType::u16, "UnsignedShort"},
        {ElementType::u32, "UnsignedInteger"}, {ElementType::u64, "Unsigned64"},
        {ElementType::i16, "SignedShort"},     {ElementType::i32, "SignedInteger"},
        {ElementType::i64, "Signed64"},        {ElementType::f32, "FloatValue"},
        {ElementType::f64, "DoubleValue"}};
    const std::vector<std::size_t>& shape = stack.shape();
    const std::size_t frames = shape.size() == 3 ? shape[0] : 1, height = shape[shape.size() - 2],
                      width = shape.back(), size = size_of(stack.type()), bytes = height * width * size;
    std::string values = text_of(stack);
    if (swapped)
        for (std::size_t i = 0; i < values.size(); i += size)
            std::reverse(values.begin() + static_cast<std::ptrdiff_t>(i),
                         values.begin() + static_cast<std::ptrdiff_t>(i + size));
    std::ofstream out(path, std::ios::binary);
    for (std::size_t i = 0; i < frames; ++i) {
        std::string header = fmt::format(
            "{{\nHeaderID = EH:{:06}:000000:000000 ;\nImage = {} ;\nByteOrder = {} ;\nDataType = {} ;\nDim_1 "
            "= {} "
            ";\nDim_2 = {} ;\nSize = {} ;\n{}",
            i + 1, i, swapped ? "HighByteFirst" : "LowByteFirst", names.at(stack.type()), width, height,
            bytes, fields);
        header.resize((header.size() + 2 + 511) / 512 * 512 - 2, ' ');
        out << header << "}\n" << values.substr(i * bytes, bytes);
    }
}

/// How a test writes files of a format: of a stack [frame][y][x] or one frame [y][x], and one that claims
/// 3000000 x 3000000 pixels, more than any machine has memory for.
struct FrameSample {
    void (*write)(const std::string& path, const Array& stack);
    void (*claim)(const std::string& path);
    /// A file may have several frames; else write() gets one, [y][x].
    bool stacks = true;
    /// Of pixels that the format can hold.
    std::vector<ElementType> types = {ElementType::u8,  ElementType::u16, ElementType::u32,
                                      ElementType::u64, ElementType::i16, ElementType::i32,
                                      ElementType::i64, ElementType::f32, ElementType::f64};
};

/// Values [frame][y][x] of which no two neighbours are equal; of signed types some are negative.
inline Array varied_stack(ElementType type, const std::vector<std::size_t>& shape) {
    Array stack(type, shape);
    visit_element(type, [&](auto zero) {
        using T = decltype(zero);
        std::size_t i = 0;
        for (T& value : stack.as<T>()) {
            const auto number = static_cast<int>(i * 7 % 101);
            value = is_signed(type) && number % 3 == 0 ? static_cast<T>(-number) : static_cast<T>(number);
            if constexpr (std::is_floating_point_v<T>) value += T{0.25};
            ++i;
        }
    });
    return stack;
}
/// Such values as a format can hold them: without the frames where files have one, and of its first type
/// where it has not this one.
inline Array varied_for(const FrameSample& sample, ElementType type, std::vector<std::size_t> shape) {
    if (!sample.stacks && shape.size() == 3) shape.erase(shape.begin());
    const bool has = std::ranges::count(sample.types, type) > 0;
    return varied_stack(has ? type : sample.types.front(), shape);
}

/// By the id of the format.
inline const std::map<std::string, FrameSample>& frame_samples() {
    static const std::map<std::string, FrameSample> samples{
        {"hdf5",
         {write_hdf5_sample,
          [](const std::string& path) {
              const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
              const hsize_t shape[3] = {3, 3'000'000, 3'000'000}, chunk[3] = {1, 1000, 1000};
              const hid_t space = H5Screate_simple(3, shape, nullptr), how = H5Pcreate(H5P_DATASET_CREATE);
              H5Pset_chunk(how, 3, chunk);
              H5Dclose(H5Dcreate2(file, "data", H5T_STD_U32LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
              H5Pclose(how);
              H5Sclose(space);
              H5Fclose(file);
          }}},
        {"tiff",
         {[](const std::string& path, const Array& stack) { write_tiff_sample(path, stack, {}); },
          [](const std::string& path) {
              TIFF* const out = TIFFOpen(path.c_str(), "w");
              TIFFSetField(out, TIFFTAG_IMAGELENGTH, 3'000'000U);
              TIFFSetField(out, TIFFTAG_IMAGEWIDTH, 3'000'000U);
              TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, 32);
              TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, 1);
              TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
              TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, 3'000'000U);
              std::uint32_t some = 1;
              TIFFWriteRawStrip(out, 0, &some, sizeof some);
              TIFFClose(out);
          }}},
        {"npy",
         {write_npy_sample,
          [](const std::string& path) {
              write_npy_bytes(path, "<u4", {3, 3'000'000, 3'000'000}, "only a few values");
          }}},
        {"cbf",
         {[](const std::string& path, const Array& image) { write_cbf_sample(path, image); },
          [](const std::string& path) {
              write_cbf_sample(path, Array::of<std::int32_t>({1, 3}, {1, 2, 3}));
              std::ifstream in(path, std::ios::binary);
              std::string text(std::istreambuf_iterator<char>(in), {});
              for (const auto& [from, to] : {std::pair{"Fastest-Dimension: 3", "Fastest-Dimension: 3000000"},
                                             {"Second-Dimension: 1", "Second-Dimension: 3000000"}})
                  text.replace(text.find(from), std::string(from).size(), to);
              std::ofstream(path, std::ios::binary) << text;
          },
          false,
          {ElementType::i32, ElementType::u32, ElementType::i64, ElementType::u64, ElementType::i16,
           ElementType::u16, ElementType::u8}}},
        {"edf",
         {[](const std::string& path, const Array& stack) { write_edf_sample(path, stack); },
          [](const std::string& path) {
              std::ofstream(path)
                  << "{\nByteOrder = LowByteFirst ;\nDataType = UnsignedInteger ;\nDim_1 = 3000000 ;\n"
                     "Dim_2 = 3000000 ;\n}\nonly a few values";
          }}}};
    return samples;
}

}  // namespace ks::tests
