#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// Text from files for a terminal: control characters (C0, C1, DEL, also line breaks) and bytes that are not
/// UTF-8 become \xNN, one per byte; the rest is unchanged. A name in a file can contain any escape sequence.
std::string printable(std::string_view text);
/// The same for text of several lines: line breaks and tabs are kept.
std::string printable_lines(std::string_view text);

/// Length in bytes of the UTF-8 character at the start of `text`; 0 if there is none (RFC 3629: no
/// surrogates, no overlong forms).
std::size_t utf8_length(std::string_view text);

/// "a, b, c", or "none".
std::string joined(const std::vector<std::string>& names);
/// Names for a sentence: "a, b, c"; if there are more than `most`, the first ones followed by "and 34 more".
/// @param between them; also a line break
std::string listed(const std::vector<std::string>& names, std::size_t most = 10, const char* between = ", ");
/// "a", "a or b", "a, b or c".
std::string alternatives(const std::vector<std::string>& names);

}  // namespace ks
