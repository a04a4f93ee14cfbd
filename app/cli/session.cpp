#include "app/cli/session.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/cli/apart/apart_worker.h"
#include "app/cli/ending/crash.h"
#include "app/cli/output.h"
#include "app/mpi/mpi_ranks.h"
#include "core/base/error.h"
#include "core/run/host_backend.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::cli {
namespace {

/// The variables in which a launcher passes rank and size; srun passes the size in a variable of Slurm.
struct Launcher {
    const char *name, *rank, *size, *local_rank;
};
constexpr std::array launchers{
    Launcher{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    Launcher{"srun", "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
    Launcher{"srun", "PMI_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
    Launcher{"mpiexec", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"}};

std::optional<std::size_t> number_in(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    const std::string_view digits(text);
    std::size_t value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

/// In a build folder it is next to the program.
std::string module_file() {
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::filesystem::path beside = folder / KERNELSCOPE_MPI_MODULE;
    std::error_code ignored;
    if (std::filesystem::exists(beside, ignored)) return beside.string();
    const std::filesystem::path installed =
        (folder / KERNELSCOPE_MPI_FOLDER / KERNELSCOPE_MPI_MODULE).lexically_normal();
    return std::filesystem::exists(installed, ignored) ? installed.string() : std::string();
}

}  // namespace

TerminalProgress::TerminalProgress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void TerminalProgress::show(double fraction, const std::string& stage) {
    if (lines_) {
        const int tenths = static_cast<int>(fraction * 10);
        if (stage == stage_ && tenths == tenths_) return;
        stage_ = stage;
        tenths_ = tenths;
        tell(fmt::format("{} {}%\n", stage, tenths * 10));
    } else if (terminal_) {
        tell(fmt::format("\r\x1b[K{} {:.0f}%", stage, fraction * 100));
        shown_ = true;
        note_progress_line(true);
    }
}

void TerminalProgress::clear() {
    if (!shown_) return;
    tell("\r\x1b[K");
    shown_ = false;
    note_progress_line(false);
}

std::optional<LaunchedRank> launched_rank() {
    for (const Launcher& launcher : launchers) {
        const auto rank = number_in(launcher.rank), size = number_in(launcher.size);
        if (!rank || !size || *size < 2 || *rank >= *size) continue;
        return LaunchedRank{*rank, *size, number_in(launcher.local_rank).value_or(*rank), launcher.name};
    }
    return std::nullopt;
}

Ranks& join_ranks(const LaunchedRank& launched) {
    const std::string file = module_file();
    const std::string started = fmt::format("{} started {} processes", launched.launcher, launched.size);
    if (file.empty())
        throw Error(ErrorKind::input, started + ", but this program was built or installed without MPI", {},
                    "start it alone, or install the package kernelscope-mpi");
    // Global: libraries that MPI loads look up its symbols.
    void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr)
        throw Error(ErrorKind::input, fmt::format("{}, but MPI cannot be loaded: {}", started, dlerror()));
    const auto start = reinterpret_cast<StartRanks>(dlsym(module, start_ranks_name));
    Ranks* const ranks = start == nullptr ? nullptr : start(rank_interface);
    if (ranks == nullptr)
        throw Error(
            ErrorKind::input,
            started +
                ", but either MPI does not start, or this module belongs to another version of Kernelscope",
            file);
    if (ranks->size() != launched.size)
        throw Error(ErrorKind::input,
                    fmt::format("{}, but this program's MPI finds {}", started, ranks->size()), {},
                    "use the launcher of the MPI that this program was built with");
    return *ranks;
}

Session::Session()
    : registry_(std::make_shared<const Registry>()),
      progress_([this](double fraction, const std::string& stage) {
          note_stage(stage);
          if (exchange_)
              exchange_->report(fraction, stage);
          else
              terminal_.show(fraction, stage);
      }) {}

Exchange& Session::join(Ranks& ranks) {
    ranks_ = &ranks;
    exchange_ = std::make_unique<Exchange>(ranks, progress_);
    exchange_->show_by(
        [this](double fraction, const std::string& stage) { terminal_.show(fraction, stage); });
    return *exchange_;
}

Engine& Session::engine() {
    if (!engine_) {
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(gpu::make_opencl_backend([this] { drivers_.leave_out_failing(); }));
        backends.push_back(std::make_unique<HostBackend>(registry_->host_variants()));
        engine_ = std::make_unique<Engine>(registry_, std::move(backends));
        engine_->set_apart(start_apart);
        engine_->remember_what_runs();
    }
    return *engine_;
}

CLI::App* add_group(CLI::App& root, Commands& commands, const std::string& name,
                    const std::string& description) {
    CLI::App* group = root.add_subcommand(name, description);
    group->require_subcommand(0, 1);
    commands.push_back({group, [name](Session&) -> int {
                            throw Error(ErrorKind::input, "expected the name of an analysis", name,
                                        "kernelscope-cli " + name + " --help lists the analyses");
                        }});
    return group;
}

}  // namespace ks::cli
