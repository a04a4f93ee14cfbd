#pragma once

#include <filesystem>

namespace ks {

/// $KERNELSCOPE_CACHE, else $XDG_CACHE_HOME/kernelscope, else ~/.cache/kernelscope; empty where there is no
/// home. What lies in it may go at any time.
std::filesystem::path cache_folder();

}  // namespace ks
