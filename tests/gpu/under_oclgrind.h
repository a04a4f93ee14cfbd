#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace ks::tests {

/// Set, to what is to be simulated, where a test program runs under oclgrind.
constexpr const char* under_oclgrind = "KS_UNDER_OCLGRIND";

/// Runs the tests InsideOclgrind.* of this program there for one variant; what oclgrind logs.
inline std::string simulated_log(const std::string& variant) {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() /
        (program.filename().string() + "_" + variant + "_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    // What oclgrind never frees is not ours.
    const std::string command = std::string("ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" ") +
                                under_oclgrind + "=" + variant + " KERNELSCOPE_CACHE='" +
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

/// The body of a test whose parameter is a variant.
inline void expect_clean_under_oclgrind(const char* variant) {
    if (std::getenv(under_oclgrind) != nullptr) GTEST_SKIP() << "is there already";
    if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
    EXPECT_EQ(simulated_log(variant), "");
}

}  // namespace ks::tests
