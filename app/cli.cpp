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
#include "app/cli/ranks/launched_rank.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/threads.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/library_call.h"
#include "core/ranks/processors.h"

namespace {

using ks::Error;
using ks::ErrorKind;

/// One sentence, then the details indented after it.
std::string error_text(const std::string& sentence, const std::string& details) {
    std::string text = "kernelscope-cli: ";
    std::string line = sentence;
    std::ranges::replace(line, '\n', ' ');
    while (line.ends_with(' ')) line.pop_back();
    text += ks::printable(line) + '\n';
    for (std::size_t at = 0; at < details.size();) {
        const std::size_t end = std::min(details.find('\n', at), details.size());
        text += "    " + ks::printable_lines(details.substr(at, end - at)) + '\n';
        at = end + 1;
    }
    return text;
}

const ks::cli::Command& chosen(const ks::cli::Commands& commands) {
    // Commands stand before their subcommands; the innermost one that was parsed is meant.
    const ks::cli::Command* found = nullptr;
    for (const ks::cli::Command& command : commands)
        if (command.app->parsed()) found = &command;
    if (found == nullptr)
        throw Error(ErrorKind::input, "a command is expected", {}, "kernelscope-cli --help lists them");
    return *found;
}

/// What was not expected, in the order of the command line, and whose help tells what is.
Error unexpected(const CLI::App& root) {
    std::string words, command = root.get_name();
    for (const std::string& word : root.remaining(true)) words += (words.empty() ? "" : " ") + word;
    const CLI::App* inner = &root;
    while (!inner->get_subcommands().empty()) {
        inner = inner->get_subcommands().front();
        command += " " + inner->get_name();
    }
    const bool by_name = inner != &root && inner->get_subcommands({}).empty();
    return Error(ErrorKind::input, fmt::format("{} was not expected", words),
                 by_name ? inner->get_name() : "",
                 fmt::format("{} --help lists the {}", command, by_name ? "options" : "commands"));
}

/// --threads and --read-timeout on every command that has no further ones.
void add_common_options(CLI::App& command) {
    const std::vector<CLI::App*> inner = command.get_subcommands({});
    for (CLI::App* one : inner) add_common_options(*one);
    if (!inner.empty()) return;
    command
        .add_option_function<std::string>(
            "--threads",
            [](const std::string& text) { ks::limit_threads(ks::parse_threads(text, "--threads")); },
            fmt::format("Threads that compute on the host, 1 to {} (default: one a processor)",
                        ks::max_threads_asked))
        ->type_name("N");
    command
        .add_option_function<std::string>(
            "--read-timeout", ks::cli::set_read_timeout,
            fmt::format("Seconds that HDF5 or another library may take over a file without making progress, "
                        "0: no limit (default {})",
                        ks::cli::read_timeout_text()))
        ->type_name("SECONDS");
}

/// Joins the other ranks, of which rank 0 speaks; the threads of a node are shared by its ranks, unless
/// --threads says otherwise.
void join(ks::cli::Session& session, const ks::cli::LaunchedRank& launched) {
    ks::Ranks* ranks = nullptr;
    {
        // Threads that the library begins meanwhile never see these signals.
        const ks::cli::InterruptEnds guard;
        ranks = &ks::cli::join_ranks(launched);
    }
    ks::Exchange& exchange = session.join(*ranks);
    if (!exchange.is_first()) ks::cli::be_silent();
    ks::limit_threads(ks::fair_threads(exchange));
}

void require_one_process(const ks::cli::Command& command, const ks::cli::Session& session) {
    if (session.exchange() == nullptr || command.over_ranks) return;
    throw Error(ErrorKind::input, fmt::format("it runs as one process, found {}", session.exchange()->size()),
                command.app->get_name(), "start it without mpirun or srun");
}

/// With what may be the cause of a failure that comes from outside of the program.
std::string with_limit(std::string sentence) {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        sentence += "; the limit of its memory (ulimit -v) may be too low";
    return sentence;
}

/// A worker belongs to one process, whatever that is a part of.
bool is_worker(int argc, char** argv) {
    return argc > 1 && std::strcmp(argv[1], "worker") == 0;
}

/// A library that never comes back cannot be stopped but with its process.
void end_hung(const Error& hang) {
    ks::cli::tell_at_once(
        {ks::printable(hang.what()).c_str(), "; --read-timeout sets how long it is waited for"});
    ks::io::remove_unfinished();
    _exit(hang.exit_code());
}

int run(int argc, char** argv, std::optional<ks::cli::Session>& session,
        const std::optional<ks::cli::LaunchedRank>& launched) {
    session.emplace();
    if (launched) join(*session, *launched);
    CLI::App root("Kernelscope without its window: analyses of detector data on OpenCL devices and the host.",
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

/// Freed memory is kept for the next run: what a run writes to costs more to get from the system again than
/// to fill.
void keep_freed_memory() {
    constexpr int largest_block = 32 << 20, kept = 512 << 20;
    mallopt(M_MMAP_THRESHOLD, largest_block);
    mallopt(M_TRIM_THRESHOLD, kept);
}

/// An error of one of several ranks: rank 0 tells it, and all end. @return the exit code of this process
int fail_among_ranks(ks::cli::Session& session, const Error& error, const std::string& text, int code) {
    ks::Exchange& exchange = *session.exchange();
    if (exchange.is_first()) ks::cli::tell(text);
    if (exchange.fail(error)) return exchange.is_first() ? code : 0;
    std::fputs(text.c_str(), stderr);  // rank 0 does not answer
    session.ranks()->abort(code);
    return code;
}

/// What main() tells of an error, and the exit code.
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
        // The ranks could not be joined: one of each node tells so.
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
            // Printing fails so once more is printed than is kept in memory.
            if (std::ferror(stdout) == 0) return fail(with_limit(error.what()));
            unwritten = error.code().value();
            return 0;
        } catch (const std::exception& error) {
            return fail(with_limit(error.what()));
        }
    }();
    if (const int at_end = ks::cli::unwritten_output(); unwritten == 0) unwritten = at_end;
    if (code != 0 || unwritten == 0) return code;
    if (unwritten == EPIPE) return ks::cli::nobody_reads;
    return fail(std::string("standard output could not be written: ") + std::strerror(unwritten));
}

/// All ranks end together. One that fails waits for the others a while only: some may be gone.
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
