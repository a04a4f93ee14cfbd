#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/element_type.h"
#include "core/io/files/file_content.h"

namespace ks::io {

constexpr std::string_view cbf_magic = "###CBF:";

/// What the text of a CBF file states about its first image, and where the image begins.
struct CbfHeader {
    ElementType type = ElementType::i32;
    bool byte = false;  ///< i8, which is read as i16
    std::size_t height = 0, width = 0;
    std::uint64_t data_at = 0, data_bytes = 0;  ///< in the content of the file
    /// Of a header in the convention of PILATUS: the rest of each line "# Key value", by key.
    std::map<std::string, std::string, std::less<>> fields;
};

/// Throws ks::Error(input) naming the file: no regular file, no image, another compression than byte offset,
/// several images in one array, sizes that contradict each other or the length of the file; or as FileContent
/// does.
CbfHeader read_cbf_header(FileContent& content);

}  // namespace ks::io
