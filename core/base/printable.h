#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// Text of files for a terminal: control characters (C0, C1, DEL, line breaks too) and bytes that are no
/// UTF-8 become \xNN, a byte each; the rest stays as it is. A name in a file can hold any escape sequence.
std::string printable(std::string_view text);
/// The same for a text of several lines: line breaks and tabs stay.
std::string printable_lines(std::string_view text);

/// Length in bytes of the UTF-8 character that `text` begins with; 0 where it begins with none (RFC 3629: no
/// surrogates, no overlong forms).
std::size_t utf8_length(std::string_view text);

/// "a, b, c", or "none".
std::string joined(const std::vector<std::string>& names);
/// Candidates in a sentence: "a, b, c", the first ten and "and 34 more" where there are more.
std::string listed(const std::vector<std::string>& names);
/// "a", "a or b", "a, b or c".
std::string alternatives(const std::vector<std::string>& names);

}  // namespace ks
