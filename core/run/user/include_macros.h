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
/// Conditions are not decided here: a name that has two meanings somewhere in the text has none.
class IncludeMacros {
  public:
    /// @param given definitions by options, -DNAME=VALUE and -DNAME(x)=VALUE
    explicit IncludeMacros(const std::map<std::string, std::string>& given);

    /// What stands behind `#define`, in the order of the text.
    void define(std::string_view rest);
    /// What stands behind `#undef`. @param surely outside of conditions
    void undefine(std::string_view rest, bool surely);

    /// Whether the text or an option gives it a meaning.
    bool knows(const std::string& name) const { return macros_.contains(name); }

    struct Expanded {
        std::string text;       ///< `"lib.h"` or `<lib.h>` where it names a file
        std::string condition;  ///< of #if: true where a compiler's macros would make something else of it
        std::string why_not;    ///< a macro that nobody can decide here; empty: there is none
    };
    /// What macros make of a text such as `LIB` or `TEXT(lib.h)`.
    Expanded expanded(std::string_view text) const;

  private:
    struct Macro {
        std::optional<std::vector<std::string>> parameters;  ///< nothing: it takes no arguments
        std::string body;
        bool operator==(const Macro&) const = default;
    };
    class Expansion;

    void add(const std::string& name, Macro macro);

    std::map<std::string, Macro> macros_;
    std::set<std::string> several_;  ///< names of more than one meaning
};

}  // namespace ks
