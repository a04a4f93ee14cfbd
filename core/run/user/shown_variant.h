#pragma once

#include <string>
#include <string_view>

#include "core/run/run.h"

namespace ks {

/// The first six digits of the XXH3 of a text: short enough to read, and another one for another text.
std::string text_mark(std::string_view text);

/// The variant of a run for people: "seed.add"; "user.mine, text 3f2a61" for a kernel of the user's own;
/// "seed.add, other source 3f2a61" where another text than the shipped one took the place of its kernel.
std::string shown_variant(const Run& run);

}  // namespace ks
