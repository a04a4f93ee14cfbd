#pragma once

#include <string>

#include "core/run/run.h"

namespace ks::xpcs {

/// A table of bins (label, pixels, q if known, g2 at delay 1 with its error) and facts, as aligned text.
std::string summary_of(const Run& run);
/// "8 rings", or "15 bins" for labels; with "2 empty" if bins have no pixels.
std::string setup_text_of(const Run& run);

}  // namespace ks::xpcs
