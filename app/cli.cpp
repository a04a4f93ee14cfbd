#include <malloc.h>
#include <algorithm>
#include <cerrno>
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

#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/threads.h"

namespace {

using ks::Error;
using ks::ErrorKind;

/// One sentence, then the details indented after it.
void print_error(const std::string& sentence, const std::string& details) {
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
    ks::cli::tell(text);
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

/// --threads on every command that has no further ones.
void add_threads(CLI::App& command) {
    const std::vector<CLI::App*> inner = command.get_subcommands({});
    for (CLI::App* one : inner) add_threads(*one);
    if (!inner.empty()) return;
    command
        .add_option_function<std::string>(
            "--threads",
            [](const std::string& text) { ks::limit_threads(ks::parse_threads(text, "--threads")); },
            fmt::format("Threads that compute on the host, 1 to {} (default: one a processor)",
                        ks::max_threads_asked))
        ->type_name("N");
}

int run(int argc, char** argv, std::optional<ks::cli::Session>& session) {
    session.emplace();
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
    add_threads(root);
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
    return chosen(commands).run(*session);
}

/// Freed memory is kept for the next run: what a run writes to costs more to get from the system again than
/// to fill.
void keep_freed_memory() {
    constexpr int largest_block = 32 << 20, kept = 512 << 20;
    mallopt(M_MMAP_THRESHOLD, largest_block);
    mallopt(M_TRIM_THRESHOLD, kept);
}

}  // namespace

int main(int argc, char** argv) {
    ks::cli::let_interrupts_in();
    ks::cli::prepare_output();
    keep_freed_memory();
    ks::rest_blas();
    std::optional<ks::cli::Session> session;
    const auto fail = [&](const std::string& sentence, const std::string& details, int code) {
        if (session) session->terminal().clear();
        print_error(sentence, details);
        return code;
    };
    int unwritten = 0;
    const int code = [&] {
        try {
            return run(argc, argv, session);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::cancelled)
                return fail("interrupted; " + (error.hint().empty() ? "nothing was written" : error.hint()),
                            {}, ks::cli::interrupted_code());
            return fail(error.what(), error.details(), error.exit_code());
        } catch (const std::bad_alloc&) {
            return fail("there is not enough memory for this request", {}, 1);
        } catch (const std::system_error& error) {
            // Printing fails so once more is printed than is kept in memory.
            if (std::ferror(stdout) == 0) return fail(error.what(), {}, 1);
            unwritten = error.code().value();
            return 0;
        } catch (const std::exception& error) {
            return fail(error.what(), {}, 1);
        }
    }();
    if (const int at_end = ks::cli::unwritten_output(); unwritten == 0) unwritten = at_end;
    if (code != 0 || unwritten == 0) return code;
    if (unwritten == EPIPE) return ks::cli::nobody_reads;
    return fail(std::string("standard output could not be written: ") + std::strerror(unwritten), {}, 1);
}
