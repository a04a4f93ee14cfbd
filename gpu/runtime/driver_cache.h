#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace ks::gpu {

/// The folder in which PoCL compiles kernels and keeps them, as PoCL 3.1 derives it from the environment when
/// it is loaded; later changes of the environment have no effect on it.
std::filesystem::path pocl_cache_folder();

/// The variable that chooses this folder.
inline constexpr const char* pocl_cache_variable = "POCL_CACHE_DIR";

/// Why files of `bytes` together cannot be written to a folder, which is created if it does not exist: "No
/// space left on device". Empty: they can.
std::string why_not_writable(const std::filesystem::path& folder, std::size_t bytes);

/// Bytes that have to be free before the driver is loaded: the files of all kernels of a large analysis.
inline constexpr std::size_t room_for_kernels = std::size_t{4} << 20;

/// The error for a program that a driver did not compile because it cannot write its files: not a fault of
/// the kernel. @param why from why_not_writable()
Error driver_cannot_write(const std::filesystem::path& folder, const std::string& why,
                          const std::string& source_file);
/// Whether an error, maybe of another process, is from driver_cannot_write().
bool says_that_driver_cannot_write(const Error& error);

}  // namespace ks::gpu
