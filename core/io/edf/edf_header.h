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
        return type == other.type && byte == other.byte && height == other.height && width == other.width;
    }
};

/// Whether the file begins like the header of an image.
bool is_edf(const std::filesystem::path& file);

/// The headers of a file's images, one after another. Fields of a block in front that has no image hold for
/// all images that do not state them themselves.
class EdfHeaders {
  public:
    /// Throws ks::Error(input) if the file is not regular.
    explicit EdfHeaders(std::filesystem::path file);
    /// That of the next image; nothing if there is none. Throws ks::Error(input) naming the file and the
    /// image: a header without end, a missing or unknown field, a compressed image, or one that is longer
    /// than the file.
    std::optional<EdfHeader> next();

  private:
    std::filesystem::path file_;
    std::uint64_t at_ = 0;
    std::size_t image_ = 0;
    std::map<std::string, std::string> common_;
};

}  // namespace ks::io
