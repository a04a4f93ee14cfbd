#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ks {

/// The word for an empty list of frames.
inline constexpr const char* no_frames = "none";

/// The frames listed in a text, ascending, each once: numbers from 0 and ranges including both ends,
/// separated by commas, "10-19,55"; "none" or an empty text lists none. Throws ks::Error(input) with `where`
/// for anything that is not a number or range, for a range that ends before it starts, and for a frame that
/// the series, which has `frames` frames, does not have.
std::vector<std::size_t> frames_named(const std::string& text, std::size_t frames, const std::string& where);

/// The inverse: the shortest such text.
/// @param frames ascending, each once
std::string frame_ranges(const std::vector<std::size_t>& frames);

/// "frame 36", "frames 10 to 19 and 55"; if there are many ranges, the first eight "and 34 more frames".
/// @param numbers ascending, each once, at least one
/// @param what the singular noun, "frame"
std::string ranges_in_words(const std::vector<std::size_t>& numbers, const std::string& what = "frame");

}  // namespace ks
