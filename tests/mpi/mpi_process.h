#pragma once

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"

namespace ks::tests {

/// Every test of this folder begins with it.
#define KS_REQUIRE_MPI() \
    if (!KERNELSCOPE_HAS_MPI) GTEST_SKIP() << "this was built without MPI"

using Arguments = std::vector<std::string>;

/// mpirun with the real program, on this machine alone, with whatever processors there are.
class MpiProcess {
  public:
    /// @param programs a rank each, or one for all of `ranks`
    MpiProcess(std::size_t ranks, const Arguments& arguments) : MpiProcess(command(ranks, arguments)) {}
    /// Rank i runs arguments[i]: launchers start what they are told.
    explicit MpiProcess(const std::vector<Arguments>& of_ranks) : MpiProcess(command(of_ranks)) {}
    ~MpiProcess() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            wait();
        }
    }
    MpiProcess(const MpiProcess&) = delete;
    MpiProcess& operator=(const MpiProcess&) = delete;

    pid_t pid() const { return pid_; }
    void interrupt(int signal = SIGINT) const { kill(pid_, signal); }
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
    /// False where it ends before, or a minute passes.
    bool wait_for_error_text(const std::string& text) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (err().find(text) == std::string::npos) {
            if (pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
            if (pid_ < 0 || std::chrono::steady_clock::now() > end) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return true;
    }
    /// The process of a rank, once it is there.
    std::optional<pid_t> process_of(std::size_t rank) const {
        const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            const std::string name = entry.path().filename();
            if (name.find_first_not_of("0123456789") != std::string::npos) continue;
            const std::string environment = '\0' + read_file(entry.path() / "environ");
            const std::string stat = read_file(entry.path() / "stat");
            const std::size_t behind = stat.rfind(')');
            if (behind == std::string::npos || std::stol(stat.substr(behind + 4)) != pid_) continue;
            if (environment.find('\0' + wanted) != std::string::npos) return std::stoi(name);
        }
        return std::nullopt;
    }

  private:
    struct Words {
        std::vector<std::string> words;
    };

    static Words launcher() {
        Words all{{KERNELSCOPE_MPIEXEC, "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader",
                   "--mca", "btl_vader_single_copy_mechanism", "none"}};
        return all;
    }
    static Words command(std::size_t ranks, const Arguments& arguments) {
        Words all = launcher();
        all.words.insert(all.words.end(), {"-n", std::to_string(ranks), KERNELSCOPE_CLI});
        all.words.insert(all.words.end(), arguments.begin(), arguments.end());
        return all;
    }
    static Words command(const std::vector<Arguments>& of_ranks) {
        Words all = launcher();
        for (const Arguments& arguments : of_ranks) {
            if (&arguments != &of_ranks.front()) all.words.emplace_back(":");
            all.words.insert(all.words.end(), {"-n", "1", KERNELSCOPE_CLI});
            all.words.insert(all.words.end(), arguments.begin(), arguments.end());
        }
        return all;
    }
    explicit MpiProcess(Words command) {
        std::vector<char*> argv;
        for (std::string& word : command.words) argv.push_back(word.data());
        argv.push_back(nullptr);
        pid_ = fork();
        if (pid_ < 0) throw std::runtime_error("no process");
        if (pid_ > 0) return;
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
        const std::string out = folder_ / "out", err = folder_ / "err";
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
        dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        execv(argv.front(), argv.data());
        _exit(127);
    }

    TemporaryFolder folder_;
    pid_t pid_ = -1;
    int status_ = 0;
};

inline Outcome run_ranks(std::size_t ranks, const Arguments& arguments) {
    MpiProcess process(ranks, arguments);
    const int code = process.wait();
    return {code, process.out(), process.err()};
}
inline Outcome run_ranks(const std::vector<Arguments>& of_ranks) {
    MpiProcess process(of_ranks);
    const int code = process.wait();
    return {code, process.out(), process.err()};
}

/// Lines of the program itself, without what mpirun says.
inline std::vector<std::string> own_lines(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = text.find("kernelscope-cli: "); at != std::string::npos;
         at = text.find("kernelscope-cli: ", at + 1))
        lines.push_back(text.substr(at, text.find('\n', at) - at));
    return lines;
}

}  // namespace ks::tests
