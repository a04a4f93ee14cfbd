#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/io/files/temporary_folder.h"

namespace ks::tests {

/// A folder that is removed with all that it holds.
class TemporaryFolder {
  public:
    const std::filesystem::path& path() const { return folder_.path(); }
    std::string operator/(const std::string& name) const { return (path() / name).string(); }
    /// Names of what it holds, temporary files included.
    std::vector<std::string> names() const {
        std::vector<std::string> list;
        for (const auto& entry : std::filesystem::directory_iterator(path()))
            list.push_back(entry.path().filename().string());
        return list;
    }

  private:
    ks::io::TemporaryFolder folder_{"kernelscope-app"};
};

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A process whose standard output and error go to files.
class Process {
  public:
    /// @param input nullopt: none
    /// @param environment variables that it has besides those of this process
    explicit Process(std::vector<std::string> command, const std::optional<std::string>& input = {},
                     const std::vector<std::pair<std::string, std::string>>& environment = {}) {
        if (input) std::ofstream(folder_ / "in", std::ios::binary) << *input;
        std::vector<char*> argv;
        for (std::string& word : command) argv.push_back(word.data());
        argv.push_back(nullptr);
        pid_ = fork();
        if (pid_ < 0) throw std::runtime_error("no process");
        if (pid_ == 0) {
            for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
            const std::string in = input ? folder_ / "in" : "/dev/null", out = folder_ / "out",
                              err = folder_ / "err";
            dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
            dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
            dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
            execv(argv.front(), argv.data());
            _exit(127);
        }
    }
    ~Process() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            wait();
        }
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t pid() const { return pid_; }
    void interrupt(int signal = SIGINT) const { kill(pid_, signal); }
    bool ended() {
        if (pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
        return pid_ < 0;
    }
    /// Exit code; 128 + signal where a signal ended it.
    int wait() {
        if (pid_ > 0) {
            while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
            }
            pid_ = -1;
        }
        return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
    }
    std::string out() const { return read_file(folder_ / "out"); }
    std::string err() const { return read_file(folder_ / "err"); }

    /// Waits until standard error holds `text`; false where the process ends before or a minute passes.
    bool wait_for_error_text(const std::string& text) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (std::chrono::steady_clock::now() < end) {
            if (err().find(text) != std::string::npos) return true;
            if (ended()) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }

  private:
    TemporaryFolder folder_;
    pid_t pid_ = -1;
    int status_ = 0;
};

/// The real program.
class CliProcess : public Process {
  public:
    explicit CliProcess(std::vector<std::string> arguments, const std::string& input = {})
        : Process(command(std::move(arguments)), input) {}

  private:
    static std::vector<std::string> command(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), KERNELSCOPE_CLI);
        return arguments;
    }
};

struct Outcome {
    int code;
    std::string out, err;
};

inline Outcome outcome_of(Process&& process) {
    const int code = process.wait();
    return {code, process.out(), process.err()};
}
inline Outcome run_cli(const std::vector<std::string>& arguments, const std::string& input = {}) {
    return outcome_of(CliProcess(arguments, input));
}

}  // namespace ks::tests
