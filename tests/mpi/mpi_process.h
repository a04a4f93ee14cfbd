#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
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
class MpiProcess : public Process {
  public:
    /// @param programs a rank each, or one for all of `ranks`
    MpiProcess(std::size_t ranks, const Arguments& arguments) : MpiProcess(command(ranks, arguments)) {}
    /// Rank i runs arguments[i]: launchers start what they are told.
    explicit MpiProcess(const std::vector<Arguments>& of_ranks) : MpiProcess(command(of_ranks)) {}
    /// The process of a rank, once it is there.
    std::optional<pid_t> process_of(std::size_t rank) const {
        const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            const std::string name = entry.path().filename();
            if (name.find_first_not_of("0123456789") != std::string::npos) continue;
            const std::string environment = '\0' + read_file(entry.path() / "environ");
            const std::string stat = read_file(entry.path() / "stat");
            const std::size_t behind = stat.rfind(')');
            if (behind == std::string::npos || std::stol(stat.substr(behind + 4)) != pid()) continue;
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
    explicit MpiProcess(Words command)
        : Process(std::move(command.words), {},
                  {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}}) {}
};

inline Outcome run_ranks(std::size_t ranks, const Arguments& arguments) {
    return outcome_of(MpiProcess(ranks, arguments));
}
inline Outcome run_ranks(const std::vector<Arguments>& of_ranks) {
    return outcome_of(MpiProcess(of_ranks));
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
