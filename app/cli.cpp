#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/drivers/driver_check.h"
#include "app/cli/ending/crash.h"
#include "app/cli/ending/read_timeout.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/json_problem.h"
#include "core/base/printable.h"
#include "core/base/threads.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/library_call.h"
#include "core/ranks/processors.h"

namespace {

using ks::Error;
using ks::ErrorKind;

/// One sentence, followed by the indented details.
std::string error_text(const std::string& sentence, const std::string& details) {
    std::string text = "kernelscope-cli: ";
    std::string line = sentence;
    std::ranges::replace(line, '\n', ' ');
    while (line.ends_with(' ')) line.pop_back();
    return text + ks::printable(line) + '\n' + ks::cli::indented(details);
}

const ks::cli::Command& chosen(const ks::cli::Commands& commands) {
    // Commands precede their subcommands, so the innermost parsed one is found last.
    const ks::cli::Command* found = nullptr;
    for (const ks::cli::Command& command : commands)
        if (command.app->parsed()) found = &command;
    if (found == nullptr)
        throw Error(ErrorKind::input, "expected a command", {}, "kernelscope-cli --help lists the commands");
    return *found;
}

/// Options of a command whose names begin with an unexpected one: "--reduce-expression" for "--reduce=a".
std::vector<std::string> longer_names(const CLI::App& command, const std::string& word) {
    const std::string given = word.substr(0, word.find('='));
    std::vector<std::string> names;
    if (!given.starts_with("--") || given.size() < 4) return names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            if (("--" + name).starts_with(given)) names.push_back("--" + name);
    return names;
}

/// Names the unexpected arguments in command-line order, and the command whose help lists the valid ones.
Error unexpected(const CLI::App& root) {
    std::string words, command = root.get_name();
    for (const std::string& word : root.remaining(true)) words += (words.empty() ? "" : " ") + word;
    const CLI::App* inner = &root;
    while (!inner->get_subcommands().empty()) {
        inner = inner->get_subcommands().front();
        command += " " + inner->get_name();
    }
    const bool by_name = inner != &root && inner->get_subcommands({}).empty();
    std::string meant;
    if (by_name)
        for (const std::string& word : root.remaining(true))
            for (const std::string& name : longer_names(*inner, word))
                if (meant.find(name) == std::string::npos)
                    meant += (meant.empty() ? ", such as " : " and ") + name;
    return Error(ErrorKind::input, fmt::format("{} was not expected", words),
                 by_name ? inner->get_name() : "",
                 fmt::format("{} --help lists the {}{}", command, by_name ? "options" : "commands", meant));
}

/// Adds --threads and --read-timeout to every command without subcommands.
void add_common_options(CLI::App& command) {
    const std::vector<CLI::App*> inner = command.get_subcommands({});
    for (CLI::App* one : inner) add_common_options(*one);
    if (!inner.empty()) return;
    command
        .add_option_function<std::string>(
            "--threads",
            [](const std::string& text) { ks::limit_threads(ks::parse_threads(text, "--threads")); },
            fmt::format("Number of threads for computing on the host, 1 to {} (default: one per processor)",
                        ks::max_threads_asked))
        ->type_name("N");
    command
        .add_option_function<std::string>(
            "--read-timeout", ks::cli::set_read_timeout,
            fmt::format("Seconds that HDF5 or another library may spend on a file without making progress; "
                        "0: no limit (default {})",
                        ks::cli::read_timeout_text()))
        ->type_name("SECONDS");
}

/// Joins the other ranks, of which only rank 0 prints. The ranks of a node share its threads unless --threads
/// is given.
void join(ks::cli::Session& session, const ks::cli::LaunchedRank& launched) {
    ks::Ranks* ranks = nullptr;
    {
        // Threads that MPI starts meanwhile never receive these signals.
        const ks::cli::InterruptEnds guard;
        ranks = &ks::cli::join_ranks(launched);
    }
    ks::Exchange& exchange = session.join(*ranks);
    if (!exchange.is_first()) ks::cli::be_silent();
    ks::limit_threads(ks::fair_threads(exchange));
}

void require_one_process(const ks::cli::Command& command, const ks::cli::Session& session) {
    if (session.exchange() == nullptr || command.over_ranks) return;
    throw Error(
        ErrorKind::input,
        fmt::format("this command runs as a single process, but {} were started", session.exchange()->size()),
        command.app->get_name(), "start it without mpirun or srun");
}

/// Names the memory limit as a possible cause of a failure outside the program's control.
std::string with_limit(std::string sentence) {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        sentence += "; the memory limit (ulimit -v) may be too low";
    return sentence;
}

/// A worker belongs to one process, even if that process is one of several ranks.
bool is_worker(int argc, char** argv) {
    return argc > 1 && std::strcmp(argv[1], "worker") == 0;
}

/// A library call that never returns can only be stopped by ending the process.
void end_hung(const Error& hang) {
    ks::cli::tell_at_once({ks::printable(hang.what()).c_str(), "; --read-timeout sets how long to wait"});
    ks::io::remove_unfinished();
    _exit(hang.exit_code());
}

int run(int argc, char** argv, std::optional<ks::cli::Session>& session,
        const std::optional<ks::cli::LaunchedRank>& launched) {
    session.emplace();
    if (launched) join(*session, *launched);
    CLI::App root("Kernelscope without the window: analyses of detector data on OpenCL devices and the host.",
                  "kernelscope-cli");
    root.set_version_flag("--version", KERNELSCOPE_VERSION);
    root.require_subcommand(0, 1);
    ks::cli::Commands commands;
    ks::cli::add_devices(root, commands);
    ks::cli::add_info(root, commands);
    ks::cli::add_worker(root, commands);
    ks::cli::add_generate(root, session->registry(), commands);
    ks::cli::add_convert(root, commands);
    ks::cli::add_analyses(root, session->registry(), commands);
    ks::cli::add_batch(root, session->registry(), commands);
    ks::cli::add_repeat(root, commands);
    ks::cli::add_fit(root, commands);
    ks::cli::add_ceilings(root, commands);
    ks::cli::add_bench(root, session->registry(), commands);
    ks::cli::add_assembly(root, session->registry(), commands);
    ks::cli::add_judge(root, session->registry(), commands);
    ks::cli::add_tune(root, session->registry(), commands);
    ks::cli::add_variants(root, session->registry(), commands);
    ks::cli::add_completion(root, commands);
    add_common_options(root);
    try {
        root.parse(argc, argv);
    } catch (const CLI::ExtrasError&) {
        throw unexpected(root);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // --help, --version
            std::ostringstream text;
            root.exit(error, text, text);
            fmt::print("{}", text.str());
            return 0;
        }
        throw Error(ErrorKind::input, error.what());
    }
    const ks::cli::Command& command = chosen(commands);
    require_one_process(command, *session);
    const ks::LibraryWatch watch(
        is_worker(argc, argv) ? std::chrono::milliseconds{} : ks::cli::read_timeout(),
        [](const Error& hang, const ks::LibraryWork&) { end_hung(hang); });
    return command.run(*session);
}

/// Keeps freed memory for the next run: getting it from the system again costs more than filling it.
void keep_freed_memory() {
    constexpr int largest_block = 32 << 20, kept = 512 << 20;
    mallopt(M_MMAP_THRESHOLD, largest_block);
    mallopt(M_TRIM_THRESHOLD, kept);
}

/// An error of one of several ranks: rank 0 reports it, and all end. @return the exit code of this process
int fail_among_ranks(ks::cli::Session& session, const Error& error, const std::string& text, int code) {
    ks::Exchange& exchange = *session.exchange();
    if (exchange.is_first()) ks::cli::tell(text);
    if (exchange.fail(error)) return exchange.is_first() ? code : 0;
    std::fputs(text.c_str(), stderr);  // rank 0 does not answer
    session.ranks()->abort(code);
    return code;
}

/// Reports an error. Returns the exit code.
class Failures {
  public:
    Failures(std::optional<ks::cli::Session>& session, const std::optional<ks::cli::LaunchedRank>& launched)
        : session_(session), launched_(launched) {}

    int operator()(const Error& error) {
        if (error.kind() != ErrorKind::cancelled) return told(error, error.what(), error.exit_code());
        const ks::Exchange* exchange = session_ ? session_->exchange() : nullptr;
        if (exchange != nullptr && exchange->failure() && exchange->failure()->kind() != ErrorKind::cancelled)
            return told(*exchange->failure(), exchange->failure()->what(), exchange->failure()->exit_code());
        return told(error, "interrupted; " + (error.hint().empty() ? "nothing was written" : error.hint()),
                    ks::cli::interrupted_code());
    }
    int operator()(const std::string& sentence, ErrorKind kind = ErrorKind::run) {
        const Error error(kind, sentence);
        return told(error, sentence, error.exit_code());
    }

  private:
    int told(const Error& error, const std::string& sentence, int code) {
        if (session_) session_->terminal().clear();
        ks::cli::interruption_is_told();
        const std::string text = error_text(sentence, error.details());
        if (session_ && session_->exchange() != nullptr)
            return fail_among_ranks(*session_, error, text, code);
        // The ranks could not be joined: one process per node reports it.
        if (launched_ && launched_->local_rank > 0) return 0;
        ks::cli::tell(text);
        return code;
    }

    std::optional<ks::cli::Session>& session_;
    const std::optional<ks::cli::LaunchedRank>& launched_;
};

int exit_code_of(int argc, char** argv, std::optional<ks::cli::Session>& session,
                 const std::optional<ks::cli::LaunchedRank>& launched) {
    Failures fail(session, launched);
    int unwritten = 0;
    const int code = [&] {
        try {
            return run(argc, argv, session, launched);
        } catch (const Error& error) {
            return fail(error);
        } catch (const std::bad_alloc&) {
            return fail(with_limit("there is not enough memory for this request"));
        } catch (const std::system_error& error) {
            // Printing throws this once the output buffer is full.
            if (std::ferror(stdout) == 0) return fail(with_limit(error.what()));
            unwritten = error.code().value();
            return 0;
        } catch (const std::exception& error) {
            return fail(with_limit(ks::problem_of(error)));
        }
    }();
    if (const int at_end = ks::cli::unwritten_output(); unwritten == 0) unwritten = at_end;
    if (code != 0 || unwritten == 0) return code;
    if (unwritten == EPIPE) return ks::cli::nobody_reads;
    return fail(std::string("standard output could not be written: ") + std::strerror(unwritten));
}

/// All ranks end together. A failed rank waits only briefly for the others: some may be gone.
void leave(ks::cli::Session& session, bool failed) {
    if (session.ranks() == nullptr) return;
    constexpr unsigned seconds = 3;
    std::signal(SIGALRM, [](int) { _exit(1); });
    if (failed) alarm(seconds);
    session.ranks()->leave();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], ks::cli::try_drivers_option) == 0) return ks::cli::try_drivers();
    ks::cli::let_interrupts_in();
    ks::cli::prepare_output();
    keep_freed_memory();
    ks::rest_blas();
    if (!is_worker(argc, argv)) ks::cli::explain_crashes();
    const auto launched = is_worker(argc, argv) ? std::nullopt : ks::cli::launched_rank();
    std::optional<ks::cli::Session> session;
    const int code = exit_code_of(argc, argv, session, launched);
    if (session) leave(*session, code != 0 || session->progress().cancelled());
    return code;
}
