#include "app/cli/ending/crash.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "app/cli/output.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/library_call.h"
#include "core/judge/signal_text.h"

namespace ks::cli {
namespace {

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// The text for each signal, prepared in advance: a handler must not allocate memory.
std::array<const char*, crashes.size()> causes{};
const char* abort_of_library = nullptr;
std::atomic<const char*> stage_now{nullptr};
std::atomic<pid_t> crashed_thread{0};
std::atomic<bool> explains{false};

const char* cause_of(int signal) {
    for (std::size_t i = 0; i < crashes.size(); ++i)
        if (crashes[i] == signal) return causes[i];
    return "an unknown reason";
}

const char* memory_hint() {
    rlimit limit{};
    const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? "; the memory limit (ulimit -v) may be too low" : nullptr;
}

void on_crash(int signal) {
    const auto thread = static_cast<pid_t>(::syscall(SYS_gettid));
    pid_t nobody = 0;
    const LibraryWork work = library_work_of_this_thread();
    const int code = work.library != nullptr && work.file != nullptr ? 2 : 1;
    if (!crashed_thread.compare_exchange_strong(nobody, thread)) {
        if (nobody == thread) _exit(code);  // within this handler
        for (;;) pause();                   // another thread is about to end the process
    }
    if (code == 2)
        tell_at_once({work.file, ": the ", work.library, " library crashed while ", work.doing,
                      " this file: ", signal == SIGABRT ? abort_of_library : cause_of(signal),
                      "; the file may be damaged"});
    else if (const char* const stage = stage_now.load(); stage != nullptr)
        tell_at_once({"it crashed in the stage \"", stage, "\": ", cause_of(signal), memory_hint()});
    else
        tell_at_once({"it crashed: ", cause_of(signal), memory_hint()});
    io::remove_unfinished();
    _exit(code);
}

void put_handler(int signal) {
    struct sigaction action = {};
    action.sa_handler = on_crash;
    // A crash within the handler calls it again.
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

void explain_crashes() {
    use_signal_stacks();
    for (std::size_t i = 0; i < crashes.size(); ++i) causes[i] = kept_name(signal_text(crashes[i]));
    abort_of_library = kept_name(fmt::format("it aborted, possibly after memory corruption (signal {}, {})",
                                             SIGABRT, ::strsignal(SIGABRT)));
    for (const int signal : crashes) put_handler(signal);
    explains.store(true);
}

void note_stage(const std::string& stage) {
    stage_now.store(kept_name(stage));
    // A compiler within a driver (LLVM's) replaces these handlers. It passes faults on to them, but not an
    // abort. Other handlers stay: PoCL has one for divisions by zero.
    if (explains.load()) put_handler(SIGABRT);
}

}  // namespace ks::cli
