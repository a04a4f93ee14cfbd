#pragma once

#include <string>
#include <string_view>

namespace ks {

/// The text of a user's variant with a value of a define in its header, `// define: NAME=VALUE`: the line is
/// changed, added behind the last one of the header, or removed where `value` is empty.
std::string with_define(std::string_view text, const std::string& name, const std::string& value);

/// The same for a title or description: `// title: TEXT`.
std::string with_header(std::string_view text, const std::string& key, const std::string& value);

}  // namespace ks
