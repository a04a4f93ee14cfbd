#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/element_type.h"
#include "core/base/error.h"

namespace ks::io {

constexpr std::string_view npy_magic = "\x93NUMPY";

/// NumPy's kind and size, the corresponding type here, and whether it is i1, which has no counterpart.
struct NpyDtype {
    std::string_view name;
    ElementType type;
    bool byte = false;
    /// Bytes per value in the file.
    std::size_t bytes() const { return byte ? 1 : size_of(type); }
};
constexpr std::array<NpyDtype, 11> npy_dtypes{{{"b1", ElementType::u8},
                                               {"u1", ElementType::u8},
                                               {"i1", ElementType::i16, true},
                                               {"u2", ElementType::u16},
                                               {"i2", ElementType::i16},
                                               {"u4", ElementType::u32},
                                               {"i4", ElementType::i32},
                                               {"u8", ElementType::u64},
                                               {"i8", ElementType::i64},
                                               {"f4", ElementType::f32},
                                               {"f8", ElementType::f64}}};

/// What a NumPy file states about its values, and where they begin.
struct NpyHeader {
    NpyDtype dtype;
    bool swapped = false;  ///< big endian
    bool fortran = false;  ///< the first index varies fastest
    std::vector<std::size_t> shape;
    std::uint64_t values_at = 0;
};

/// An error about a NumPy file.
Error npy_error(const std::filesystem::path& file, const std::string& message);
/// Opens a regular file. Throws ks::Error(input).
std::ifstream open_npy(const std::filesystem::path& file);
/// Throws ks::Error(input): not NumPy, an unreadable header, a type that is not an integer or float.
/// Afterwards the stream is positioned at the values.
NpyHeader read_npy_header(std::istream& in, const std::filesystem::path& file);
/// Throws ks::Error(input) if the file is shorter than its header claims.
void require_npy_length(const NpyHeader& header, const std::filesystem::path& file);

}  // namespace ks::io
