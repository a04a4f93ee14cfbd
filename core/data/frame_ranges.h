#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ks {

/// The word for an empty list of frames.
inline constexpr const char* no_frames = "none";

/// Frames that a text names, ascending, each once: numbers from 0 and ranges, both ends included, with commas
/// between them, "10-19,55"; "none", or nothing at all, names none. Throws ks::Error(input) at `where`, in
/// one sentence, for what is no number or range, for a range whose end comes before its start, and for a
/// frame that a series of `frames` frames does not have.
std::vector<std::size_t> frames_named(const std::string& text, std::size_t frames, const std::string& where);

/// And back: the shortest such text. @param frames ascending, each once
std::string frame_ranges(const std::vector<std::size_t>& frames);

/// "frame 36", "frames 10 to 19 and 55"; of many ranges the first eight "and 34 more frames".
/// @param numbers ascending, each once, at least one @param what one of them, "frame"
std::string ranges_in_words(const std::vector<std::size_t>& numbers, const std::string& what = "frame");

}  // namespace ks
