#pragma once

#include <filesystem>

namespace ks {

/// $KERNELSCOPE_CACHE, else $XDG_CACHE_HOME/kernelscope, else ~/.cache/kernelscope; empty if there is no
/// home. Its contents may be deleted at any time.
std::filesystem::path cache_folder();

/// $KERNELSCOPE_DATA, else $XDG_DATA_HOME/kernelscope, else ~/.local/share/kernelscope; empty if there is no
/// home. Its contents were made for the user and are kept.
std::filesystem::path data_folder();

}  // namespace ks
