#include "app/cli/drivers/driver_check.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "core/base/cache_folder.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/judge/signal_text.h"
#include "gpu/runtime/device_query.h"
#include "gpu/runtime/driver_cache.h"

namespace ks::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_variable = "OCL_ICD_VENDORS";           // of both usual loaders
constexpr const char* tried_variable = "KERNELSCOPE_DRIVERS_TRIED";  // for workers of this process
constexpr double usual_limit = 20;                                   ///< seconds

/// Without a limit, a driver that hangs would delay every start.
double limit_seconds() {
    const char* const given = std::getenv("KERNELSCOPE_DRIVER_LIMIT");
    const double seconds = given == nullptr ? 0 : std::atof(given);
    return seconds > 0 ? seconds : usual_limit;
}

/// Driver files as the loader finds them; empty if it finds them in another way.
std::vector<fs::path> driver_files() {
    std::vector<fs::path> files;
    if (std::getenv("OCL_ICD_FILENAMES") != nullptr) return files;
    const char* const given = std::getenv(folder_variable);
    const fs::path folder = given == nullptr ? "/etc/OpenCL/vendors" : given;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (at->path().extension() == ".icd") files.push_back(at->path());
    std::ranges::sort(files);
    return files;
}

std::string state_of_file(const fs::path& file) {
    std::error_code failed;
    const auto size = fs::file_size(file, failed);
    const auto time = fs::last_write_time(file, failed);
    return failed ? fmt::format("{} -", file.string())
                  : fmt::format("{} {} {}", file.string(), size, time.time_since_epoch().count());
}

/// The library that a driver's file names; empty if it is no regular file: a pipe would hang.
std::string library_of(const fs::path& file) {
    std::error_code ignored;
    std::string library;
    if (fs::is_regular_file(file, ignored)) std::getline(std::ifstream(file), library);
    return library;
}

/// Changes with the drivers: their files, and the libraries that these name by path.
std::string key_of(const std::vector<fs::path>& files) {
    std::string all;
    for (const fs::path& file : files) {
        all += state_of_file(file) + "\n";
        const std::string library = library_of(file);
        if (library.starts_with('/')) all += state_of_file(library) + "\n";
    }
    return hash_text(hash_of(all));
}

fs::path kept_file() {
    const fs::path folder = cache_folder();
    return folder.empty() ? fs::path() : folder / "drivers.json";
}

std::optional<std::vector<FailedDriver>> kept(const std::string& key) {
    std::ifstream in(kept_file(), std::ios::binary);
    const nlohmann::json json = try_parse_json(std::string{std::istreambuf_iterator<char>(in), {}});
    try {
        if (!json.is_object() || json.value("key", "") != key) return std::nullopt;
        std::vector<FailedDriver> failed;
        for (const nlohmann::json& one : json.at("failed"))
            failed.push_back({one.at("file").get<std::string>(), one.at("how").get<std::string>()});
        return failed;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

/// If the folder cannot be written, the drivers are tried again at the next start.
void keep(const std::string& key, const std::vector<FailedDriver>& failed) {
    const fs::path file = kept_file(), temporary = fmt::format("{}.{}", file.string(), getpid());
    if (file.empty()) return;
    nlohmann::json json{{"key", key}, {"failed", nlohmann::json::array()}};
    for (const FailedDriver& one : failed)
        json["failed"].push_back({{"file", one.file.string()}, {"how", one.how}});
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    const bool written =
        static_cast<bool>(std::ofstream(temporary, std::ios::binary) << dump_json(json, 1) << std::flush);
    if (written)
        fs::rename(temporary, file, ignored);
    else
        fs::remove(temporary, ignored);
}

/// Runs a process that opens all devices. Empty: it succeeded, else how it ended.
std::string outcome_of_trial() {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&how);
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::posix_spawn_file_actions_addopen(&files, number, "/dev/null", O_RDWR, 0);
    ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&how, 0);
    std::string program = "kernelscope-cli", option = try_drivers_option;
    char* arguments[] = {program.data(), option.data(), nullptr};
    pid_t process = -1;
    const int failure = ::posix_spawn(&process, "/proc/self/exe", &files, &how, arguments, ::environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&how);
    if (failure != 0) return {};  // nothing is known about the driver
    const double limit = limit_seconds();
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit);
    bool was_too_long = false;
    for (int status = 0;;) {
        const pid_t ended = ::waitpid(process, &status, WNOHANG);
        if (ended < 0 && errno != EINTR) return {};
        if (ended == process && was_too_long) return fmt::format("it did not answer within {:g} s", limit);
        if (ended == process && WIFSIGNALED(status)) return signal_text(WTERMSIG(status));
        if (ended == process)
            return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit code {}", WEXITSTATUS(status));
        if (!was_too_long && std::chrono::steady_clock::now() > end) {
            was_too_long = true;
            ::kill(-process, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

bool is_pocl(const fs::path& file) {
    return file.filename().string().find("pocl") != std::string::npos ||
           library_of(file).find("pocl") != std::string::npos;
}

/// Restricts the loader to these drivers. @param folder for links to them
void show_only(const fs::path& folder, const std::vector<fs::path>& files) {
    std::error_code failed;
    for (const fs::path& file : files)
        fs::create_symlink(fs::absolute(file), folder / file.filename(), failed);
    ::setenv(folder_variable, folder.c_str(), 1);
}

}  // namespace

std::vector<FailedDriver> DriverCheck::failing(const std::vector<fs::path>& files) const {
    std::vector<FailedDriver> failed;
    const std::string how = outcome_of_trial();
    if (how.empty()) return failed;
    if (files.size() == 1) return {{files.front(), how}};
    const char* const given = std::getenv(folder_variable);
    const std::string before = given == nullptr ? "" : given;
    for (const fs::path& file : files) {
        const io::TemporaryFolder alone("kernelscope-driver");
        show_only(alone.path(), {file});
        if (std::string one = outcome_of_trial(); !one.empty()) failed.push_back({file, std::move(one)});
    }
    given == nullptr ? ::unsetenv(folder_variable) : ::setenv(folder_variable, before.c_str(), 1);
    return failed;
}

void DriverCheck::give_room(const std::vector<fs::path>& files) {
    if (std::ranges::none_of(files, is_pocl)) return;
    const fs::path folder = gpu::pocl_cache_folder();
    const std::string why = gpu::why_not_writable(folder, gpu::room_for_kernels);
    if (why.empty()) return;
    try {
        compiled_ = std::make_unique<io::TemporaryFolder>("kernelscope-pocl");
    } catch (const Error&) {
        return;  // the build of a kernel names the folder
    }
    if (!gpu::why_not_writable(compiled_->path(), gpu::room_for_kernels).empty()) {
        compiled_.reset();
        return;
    }
    // Processes that this one starts find it there, too.
    ::setenv(gpu::pocl_cache_variable, compiled_->path().c_str(), 1);
    warn(
        fmt::format("PoCL cannot keep compiled kernels in {} ({}), so it keeps them in {} until the end of "
                    "this process, and they will be built again at the next start",
                    folder.string(), why, compiled_->path().string()));
}

void DriverCheck::leave_out_failing() {
    const std::vector<fs::path> files = driver_files();
    give_room(files);
    if (std::getenv(tried_variable) != nullptr) return;
    if (files.empty()) return;
    const std::string key = key_of(files);
    std::optional<std::vector<FailedDriver>> failed = kept(key);
    if (!failed || (tries_again_ && !failed->empty())) {
        failed = failing(files);
        keep(key, *failed);
    }
    if (failed->empty()) return;
    std::vector<fs::path> good;
    for (const fs::path& file : files)
        if (std::ranges::find(*failed, file, &FailedDriver::file) == failed->end()) good.push_back(file);
    others_ = std::make_unique<io::TemporaryFolder>("kernelscope-drivers");
    show_only(others_->path(), good);
    ::setenv(tried_variable, "1", 1);
    for (const FailedDriver& one : *failed)
        warn(
            fmt::format("the OpenCL driver {} is left out, because a test process that opened its devices "
                        "failed ({}); use `kernelscope-cli devices` to try it again",
                        one.file.string(), one.how));
}

int try_drivers() {
    gpu::open_all_devices();
    return 0;
}

}  // namespace ks::cli
