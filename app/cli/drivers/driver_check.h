#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/io/files/temporary_folder.h"

namespace ks::cli {

/// A driver of OpenCL that is not loaded, since a process that tried it did not live.
struct FailedDriver {
    std::filesystem::path file;  ///< its .icd
    std::string how;             ///< "exit code 1", "it did not answer within 20 s"
};

/// Tries the drivers of OpenCL before this process loads them: in a process that they may end. What failed is
/// left out. What came of it is kept in the cache folder until a driver's file changes, so that a start costs
/// nothing.
class DriverCheck {
  public:
    /// Once, before anything of OpenCL is called: names those that fail on standard error, and lets the
    /// loader see the others alone.
    void leave_out_failing();
    /// Does not trust what was kept where a driver failed then.
    void try_again() { tries_again_ = true; }

  private:
    std::vector<FailedDriver> failing(const std::vector<std::filesystem::path>& files) const;

    bool tries_again_ = false;
    std::unique_ptr<io::TemporaryFolder> others_;  ///< links to the drivers that work
};

/// What the other process does: it opens all devices. @return the exit code
int try_drivers();
/// The one argument of a process that is to do that.
inline constexpr const char* try_drivers_option = "--try-drivers";

}  // namespace ks::cli
