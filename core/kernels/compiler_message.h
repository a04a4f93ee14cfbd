#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// A line of a compiler's log.
struct CompilerMessage {
    enum class Kind { error, warning, note, other };
    Kind kind = Kind::other;
    std::string file;  ///< as the log names it: a kernel file, or the compiler's own name of the whole text
    std::optional<std::size_t> line = {}, column = {};  ///< counted from 1, in that file
    std::string text;   ///< without the place: "use of undeclared identifier 'd'"
    std::string whole;  ///< as it is in the log
};

/// "use of undeclared identifier 'd'", "warning: unused variable 'a'": only errors go without their kind.
std::string text_with_kind(const CompilerMessage& message);

/// All lines of a log. Three forms of messages are recognised: that of clang ("NAME:5:30: error: TEXT";
/// Intel, AMD, NVIDIA), that of the quirk kind_before_place ("error: NAME:5:30: TEXT") and that of NVIDIA's
/// warnings ("NAME(5): Warning: TEXT"). Other lines have no place.
std::vector<CompilerMessage> compiler_messages(std::string_view log);

}  // namespace ks
