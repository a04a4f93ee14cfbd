#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/element_type.h"
#include "core/io/files/file_content.h"

namespace ks::io {

/// What the header of one image of an EDF file states, and where the image begins.
struct EdfHeader {
    ElementType type = ElementType::u16;
    bool byte = false;     ///< i8, which is read as i16
    bool swapped = false;  ///< big endian
    std::size_t height = 0, width = 0;
    std::uint64_t data_at = 0;                  ///< in the content of the file
    std::uint64_t end = 0;                      ///< of the image: where the next header begins
    std::map<std::string, std::string> fields;  ///< by names in small letters

    std::size_t value_bytes() const { return byte ? 1 : size_of(type); }
    bool same_pixels(const EdfHeader& other) const {
        return type == other.type && byte == other.byte && height == other.height && width == other.width;
    }
};

/// Whether the content of a file begins like the header of an image.
bool is_edf(std::string_view start);
inline constexpr std::size_t edf_start = 1024;  ///< bytes that is_edf() looks at

/// The headers of a file's images, one after another. Fields of a block in front that has no image hold for
/// all images that do not state them themselves.
class EdfHeaders {
  public:
    /// @param content outlives it. Throws ks::Error(input) if the file is not regular.
    explicit EdfHeaders(FileContent& content);
    /// That of the next image; nothing if there is none. Throws ks::Error(input) naming the file and the
    /// image: a header without end, a missing or unknown field, a compressed image, or one that is longer
    /// than the file; or as FileContent does.
    std::optional<EdfHeader> next();

  private:
    FileContent& content_;
    std::uint64_t at_ = 0;
    std::size_t image_ = 0;
    std::map<std::string, std::string> common_;
};

}  // namespace ks::io
