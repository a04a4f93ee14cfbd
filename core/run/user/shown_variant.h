#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/run/run.h"

namespace ks {

/// The values of the variant's defines with which the programs of the run were compiled: each of its kernel
/// file, or the replacement, or of the other program that it is for.
std::map<std::string, std::string> compiled_defines(const Run& run);

/// The first six digits of the XXH3 of a text: short enough to read, and different for different texts.
std::string text_mark(std::string_view text);

/// The run compiled another text than the shipped one: that of a user's kernel, or a replacement.
bool has_other_text(const Run& run);

/// The variant of a run as shown to users: "seed.add"; "user.mine, text 3f2a61" for a user's kernel;
/// "seed.add, other source 3f2a61" if another text replaced the shipped kernel.
std::string shown_variant(const Run& run);

/// The definitions that the request gave to the variant: "ROWS = 4, VECTORS = 2"; empty: none.
std::string given_defines(const Run& run);

/// shown_variant() with given_defines(): "panels.cpu, VECTORS = 2".
std::string shown_kernel(const Run& run);

}  // namespace ks
