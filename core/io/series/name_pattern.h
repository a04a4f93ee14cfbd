#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks::io {

/// The last part of the name of a series, which selects files of a folder. '*' stands for any characters, '?'
/// for one character, and '#' for digits, at least as many as there are '#'. Alternatively, braces list
/// exactly these names: "img_{0001,0005}.tif". In a name with braces, '*', '?' and '#' have no special
/// meaning, and '\' takes the special meaning from the character after it.
class NamePattern {
  public:
    /// Nothing if the text has neither wildcards nor braces with a comma.
    static std::optional<NamePattern> parse(std::string_view text);

    /// Whether a file name matches. As in a shell, '*' and '?' do not match a leading dot.
    bool matches(std::string_view name) const;
    /// The names in the braces; empty for a pattern with wildcards.
    const std::vector<std::string>& names() const { return names_; }

  private:
    std::string wildcards_;
    std::vector<std::string> names_;
};

/// "img_{0001,0005}.tif", which NamePattern reads as exactly these names.
/// @param prefix before each of the texts
/// @param suffix after each of them
std::string braces(std::string_view prefix, const std::vector<std::string>& texts, std::string_view suffix);
/// Whether a text has a character with a meaning in patterns.
bool has_pattern_characters(std::string_view text);

}  // namespace ks::io
