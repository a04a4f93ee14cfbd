#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/base/element_type.h"

namespace ks::io {

/// What the header of one image of an EDF file states, and where the image begins.
struct EdfHeader {
    ElementType type = ElementType::u16;
    bool byte = false;     ///< i8, which is read as i16
    bool swapped = false;  ///< big endian
    std::size_t height = 0, width = 0;
    std::uint64_t data_at = 0;
    std::uint64_t end = 0;                      ///< of the image: where the next header begins
    std::map<std::string, std::string> fields;  ///< by names in small letters

    std::size_t value_bytes() const { return byte ? 1 : size_of(type); }
    bool same_pixels(const EdfHeader& other) const {
        return type == other.type && byte == other.byte && swapped == other.swapped &&
               height == other.height && width == other.width;
    }
};

/// Whether the file begins like the header of an image.
bool is_edf(const std::filesystem::path& file);
/// The header that begins at `at`; nothing if there is none. A block without an image, with what all images
/// of the file have in common, is passed over.
/// @param image its number, from 0, for messages
/// Throws ks::Error(input) naming the file: a header without end, a missing or unknown field, a compressed
/// image, or one that is longer than the file.
std::optional<EdfHeader> read_edf_header(const std::filesystem::path& file, std::uint64_t at,
                                         std::size_t image);

}  // namespace ks::io
