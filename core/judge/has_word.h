#pragma once

#include <string_view>

#include "core/base/trimmed.h"

namespace ks {

/// Whether a program's text has this name, not only as a part of a longer one.
inline bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_name_letter(text[at - 1])) && (end == text.size() || !is_name_letter(text[end])))
            return true;
    }
    return false;
}

}  // namespace ks
