#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// Macros of a text as far as they can name a file to include: `#define LIB "lib.h"`, `#define TEXT(x) #x`.
/// Conditions are not evaluated: a name with two definitions anywhere in the text has none.
class IncludeMacros {
  public:
    /// @param given definitions from options, -DNAME=VALUE and -DNAME(x)=VALUE
    explicit IncludeMacros(const std::map<std::string, std::string>& given);

    /// Takes the text after `#define`, in the order of the text.
    void define(std::string_view rest);
    /// Takes the text after `#undef`. @param surely outside conditions
    void undefine(std::string_view rest, bool surely);

    /// Whether the text or an option defines the name.
    bool knows(const std::string& name) const { return macros_.contains(name); }

    struct Expanded {
        std::string text;       ///< `"lib.h"` or `<lib.h>` if it names a file
        std::string condition;  ///< for #if: true if a compiler's macros would expand it differently
        std::string why_not;    ///< a macro that cannot be decided here; empty: none
    };
    /// The expansion of a text such as `LIB` or `TEXT(lib.h)`.
    Expanded expanded(std::string_view text) const;

  private:
    struct Macro {
        std::optional<std::vector<std::string>> parameters;  ///< absent: no argument list
        std::string body;
        bool operator==(const Macro&) const = default;
    };
    class Expansion;

    void add(const std::string& name, Macro macro);

    std::map<std::string, Macro> macros_;
    std::set<std::string> several_;  ///< names with several definitions
};

}  // namespace ks
