#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/io/files/temporary_folder.h"

namespace ks::cli {

/// An OpenCL driver that is not loaded, because the process that tried it failed.
struct FailedDriver {
    std::filesystem::path file;  ///< its .icd
    std::string how;             ///< "exit code 1", "it did not answer within 20 s"
};

/// Tries the OpenCL drivers before this process loads them, in a process that they may crash. Those that fail
/// are left out. The outcome is kept in the cache folder until a driver's file changes, so that later starts
/// cost nothing.
class DriverCheck {
  public:
    /// Call once, before any OpenCL function: names the failing drivers on standard error, and hides them
    /// from the loader. If PoCL cannot write its cache folder, says so and gives it a temporary one: without
    /// such a folder it compiles nothing.
    void leave_out_failing();
    /// Tries a driver again even if the cache says that it failed.
    void try_again() { tries_again_ = true; }

  private:
    std::vector<FailedDriver> failing(const std::vector<std::filesystem::path>& files) const;

    void give_room(const std::vector<std::filesystem::path>& files);

    bool tries_again_ = false;
    std::unique_ptr<io::TemporaryFolder> compiled_;  ///< for PoCL
    std::unique_ptr<io::TemporaryFolder> others_;    ///< links to the drivers that work
};

/// The work of the other process: opens all devices. @return the exit code
int try_drivers();
/// The only argument of that process.
inline constexpr const char* try_drivers_option = "--try-drivers";

}  // namespace ks::cli
