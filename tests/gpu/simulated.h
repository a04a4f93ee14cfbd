#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ks::tests {

/// What is set where a test program runs under oclgrind: to the id of the variant that it is to run.
inline constexpr const char* inside_oclgrind = "KS_UNDER_OCLGRIND";

/// Runs this program's tests InsideOclgrind.* under oclgrind, which simulates a device and reports bad
/// accesses and data races between work-items; what it logs.
inline std::string simulated_log(const std::string& variant) {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() /
        (program.filename().string() + "_" + variant + "_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string command = std::string(inside_oclgrind) + "=" + variant + " KERNELSCOPE_CACHE='" +
                                (folder / "cache").string() + "' oclgrind --log '" +
                                (folder / "log").string() + "' --data-races '" + program.string() +
                                "' --gtest_filter=InsideOclgrind.* > /dev/null 2>&1";
    const int status = std::system(command.c_str());
    EXPECT_EQ(status, 0) << command;
    std::stringstream text;
    text << std::ifstream(folder / "log").rdbuf();
    std::filesystem::remove_all(folder);
    return text.str();
}

}  // namespace ks::tests
