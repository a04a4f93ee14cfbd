#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ks {

/// True if the text contains the body of a function of this name outside comments. Conditions of the
/// preprocessor are not evaluated.
bool defines_function(std::string_view text, std::string_view name);

/// Text that the host inserts before a kernel's source, such as functions from fields of the user. Functions
/// that the source itself defines are left out.
class InsertedText {
  public:
    void add(std::string text) { parts_.push_back({{}, std::move(text)}); }
    void add_function(std::string name, std::string text) {
        parts_.push_back({std::move(name), std::move(text)});
    }
    /// What precedes this source, with all line ends.
    std::string before(std::string_view source) const;
    /// Names of the functions that this source defines itself, in the order of the insertion.
    std::vector<std::string> defined_by(std::string_view source) const;

  private:
    struct Part {
        std::string function;  ///< empty: the part is always inserted
        std::string text;
    };
    std::vector<Part> parts_;
};

/// The name that stands for the text before a file, in places of lines: "text before gpu/a.cl".
std::string name_of_text_before(const std::string& file);

/// A text and the source that follows it, as passed to resolve_source(): `#line` states where both begin.
/// @param inserted if empty, the source alone is returned
std::string text_behind(std::string_view inserted, const std::string& file, std::string_view source);

}  // namespace ks
