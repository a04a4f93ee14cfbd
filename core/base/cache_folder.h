#pragma once

#include <filesystem>

namespace ks {

/// $KERNELSCOPE_CACHE, else $XDG_CACHE_HOME/kernelscope, else ~/.cache/kernelscope; empty where there is no
/// home. What lies in it may go at any time.
std::filesystem::path cache_folder();

/// $KERNELSCOPE_DATA, else $XDG_DATA_HOME/kernelscope, else ~/.local/share/kernelscope; empty where there is
/// no home. What lies in it was made for the user and stays.
std::filesystem::path data_folder();

}  // namespace ks
