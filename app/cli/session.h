#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/drivers/driver_check.h"
#include "core/base/progress.h"
#include "core/ranks/exchange.h"
#include "core/ranks/ranks.h"
#include "core/run/engine.h"
#include "core/run/registry.h"

namespace CLI {

class App;
}

namespace ks::cli {

/// Progress on standard error: one line that is rewritten if that is a terminal, one line per 10% if
/// use_lines() was called, else nothing.
class TerminalProgress {
  public:
    TerminalProgress();
    ~TerminalProgress() { clear(); }
    TerminalProgress(const TerminalProgress&) = delete;
    TerminalProgress& operator=(const TerminalProgress&) = delete;

    void use_lines() { lines_ = true; }
    void show(double fraction, const std::string& stage);
    /// Removes the progress line, before anything else is printed.
    void clear();

  private:
    bool terminal_;
    bool lines_ = false;
    bool shown_ = false;
    std::string stage_;
    int tenths_ = -1;
};

/// What a launcher (mpirun, srun) tells a process that is one of several.
struct LaunchedRank {
    std::size_t rank = 0, size = 0;
    std::size_t local_rank = 0;  ///< among those of its node
    std::string launcher;        ///< "mpirun"
};

/// From the environment of this process; nothing if it runs alone.
std::optional<LaunchedRank> launched_rank();

/// Joins the other processes, once per process: loads kernelscope-mpi.so from the program's folder, or from
/// where it is installed. Throws ks::Error(input) if it is missing or cannot be loaded.
Ranks& join_ranks(const LaunchedRank& launched);

/// State shared by the commands. Devices are enumerated when a command first needs the engine: `info` and
/// `generate` work on a machine whose OpenCL is broken.
class Session {
  public:
    Session();

    const Registry& registry() const { return *registry_; }
    Engine& engine();
    DriverCheck& drivers() { return drivers_; }
    Progress& progress() { return progress_; }
    TerminalProgress& terminal() { return terminal_; }

    /// From now on this process is one of several: the terminal shows the progress of all, on rank 0 only.
    Exchange& join(Ranks& ranks);
    /// Null if this process runs alone.
    Exchange* exchange() const { return exchange_.get(); }
    Ranks* ranks() const { return ranks_; }

  private:
    std::shared_ptr<const Registry> registry_;
    TerminalProgress terminal_;
    Progress progress_;
    Ranks* ranks_ = nullptr;
    std::unique_ptr<Exchange> exchange_;
    DriverCheck drivers_;
    std::unique_ptr<Engine> engine_;
};

/// A command and what it does once its options are parsed; returns the exit code.
struct Command {
    CLI::App* app;
    std::function<int(Session&)> run;
    bool over_ranks = false;  ///< may run as several processes
};
using Commands = std::vector<Command>;

/// A command with one subcommand per analysis, which is required.
CLI::App* add_group(CLI::App& root, Commands& commands, const std::string& name,
                    const std::string& description);

void add_devices(CLI::App& root, Commands& commands);
void add_info(CLI::App& root, Commands& commands);
void add_worker(CLI::App& root, Commands& commands);
void add_convert(CLI::App& root, Commands& commands);
/// `generate ANALYSIS`, for every analysis with a generator.
void add_generate(CLI::App& root, const Registry& registry, Commands& commands);
/// One command per analysis.
void add_analyses(CLI::App& root, const Registry& registry, Commands& commands);
/// `batch ANALYSIS LIST`, for every analysis that reads data.
void add_batch(CLI::App& root, const Registry& registry, Commands& commands);
/// `repeat RUN.h5`.
void add_repeat(CLI::App& root, Commands& commands);
void add_fit(CLI::App& root, Commands& commands);
void add_ceilings(CLI::App& root, Commands& commands);
/// `bench ANALYSIS`.
void add_bench(CLI::App& root, const Registry& registry, Commands& commands);
/// `assembly ANALYSIS`.
void add_assembly(CLI::App& root, const Registry& registry, Commands& commands);
/// `judge ANALYSIS`.
void add_judge(CLI::App& root, const Registry& registry, Commands& commands);
/// `tune ANALYSIS`, and the user's table of tuned values.
void add_tune(CLI::App& root, const Registry& registry, Commands& commands);
/// `variants`, and `variants new`.
void add_variants(CLI::App& root, const Registry& registry, Commands& commands);
/// `completion SHELL`, from all options that `root` has when it runs.
void add_completion(CLI::App& root, Commands& commands);

}  // namespace ks::cli
