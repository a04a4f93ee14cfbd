#include "core/io/files/library_call.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/printable.h"

namespace ks {
namespace {

/// State of a thread that has been in a library.
struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<pid_t> thread{0};
    std::atomic<const char*> library{nullptr};  ///< null: not in a library
    std::atomic<const char*> doing{nullptr}, file{nullptr};
    std::atomic<std::uint64_t> steps{0};  ///< calls so far, including inner ones
    int depth = 0;                        ///< accessed by the owner only
};

constexpr std::size_t most_threads = 256;  // further threads are not watched
std::array<Slot, most_threads> slots;
std::atomic<const char*> named_last{nullptr};
std::atomic<bool> signal_stacks{false};

/// An alternate stack for signal handlers, for the lifetime of its thread.
class SignalStack {
  public:
    SignalStack() {
        stack_t before = {};
        // A sanitizer has installed its own.
        if (sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
        memory_ = std::make_unique<std::byte[]>(bytes);
        stack_t own = {};
        own.ss_sp = memory_.get();
        own.ss_size = bytes;
        if (sigaltstack(&own, nullptr) != 0) memory_.reset();
    }
    ~SignalStack() {
        if (!memory_) return;
        stack_t none = {};
        none.ss_flags = SS_DISABLE;
        sigaltstack(&none, nullptr);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

  private:
    static constexpr std::size_t bytes = std::size_t{64} << 10;
    std::unique_ptr<std::byte[]> memory_;
};

/// The slot of a thread, returned when the thread ends.
class OwnSlot {
  public:
    OwnSlot() {
        if (signal_stacks.load(std::memory_order_relaxed)) stack_ = std::make_unique<SignalStack>();
        for (Slot& slot : slots)
            if (!slot.taken.exchange(true)) {
                slot_ = &slot;
                slot.thread.store(static_cast<pid_t>(::syscall(SYS_gettid)));
                return;
            }
    }
    ~OwnSlot();
    OwnSlot(const OwnSlot&) = delete;
    OwnSlot& operator=(const OwnSlot&) = delete;
    Slot* slot() const { return slot_; }

  private:
    Slot* slot_ = nullptr;
    std::unique_ptr<SignalStack> stack_;
};

thread_local Slot* mine = nullptr;  // a plain pointer, for signal handlers

OwnSlot::~OwnSlot() {
    mine = nullptr;
    if (slot_ == nullptr) return;
    Slot* const slot = std::exchange(slot_, nullptr);
    slot->library.store(nullptr);
    slot->depth = 0;
    slot->taken.store(false);
}

Slot* slot_of_this_thread() {
    if (mine == nullptr) {
        thread_local OwnSlot own;
        mine = own.slot();
    }
    return mine;
}

/// How far a call has come, and the state of its thread.
struct Look {
    const Slot* slot = nullptr;
    std::uint64_t steps = 0, input_output = 0, faults = 0;
    double processor_seconds = 0;
    char state = '?';  ///< 'R' runs, 'D' waits for the disk, 'S' sleeps
    bool has_progressed_since(const Look& before) const {
        return slot != before.slot || steps != before.steps || input_output != before.input_output ||
               faults != before.faults;
    }
};

/// The numbers in lines such as "syscr: 12", which grow as a thread reads and writes.
std::uint64_t input_output_of(pid_t thread) {
    std::ifstream in(fmt::format("/proc/self/task/{}/io", thread));
    std::uint64_t sum = 0, value = 0;
    for (std::string name; in >> name >> value;)
        if (name == "rchar:" || name == "wchar:" || name == "syscr:" || name == "syscw:") sum += value;
    return sum;
}

void read_stat(pid_t thread, Look& look) {
    std::ifstream in(fmt::format("/proc/self/task/{}/stat", thread));
    const std::string line{std::istreambuf_iterator<char>(in), {}};
    // The second field is a name in parentheses, which may contain blanks.
    const std::size_t end = line.rfind(')');
    if (end == std::string::npos) return;
    unsigned long faults = 0, user = 0, system = 0;
    if (std::sscanf(line.c_str() + end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %lu %*u %lu %lu",
                    &look.state, &faults, &user, &system) != 4)
        return;
    look.faults = faults;
    look.processor_seconds = static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

Look look_at(const Slot& slot) {
    Look look;
    look.slot = &slot;
    look.steps = slot.steps.load();
    const pid_t thread = slot.thread.load();
    look.input_output = input_output_of(thread);
    read_stat(thread, look);
    return look;
}

/// A slot, and how long its call has made no progress.
struct Watched {
    Look before;
    double seconds = 0;
    bool is_told = false;
};

/// What an observation adds to the time without progress.
/// @param passed seconds since the last observation
double idle_seconds(const Look& before, const Look& now, double passed) {
    if (now.state == 'D') return 0;
    if (now.state == 'R') return std::min(passed, now.processor_seconds - before.processor_seconds);
    return passed;
}

Error hang_of(const LibraryWork& work, double seconds) {
    return Error(ErrorKind::input,
                 fmt::format("the {} library made no progress for {:.3g} s while {} this file", work.library,
                             seconds, work.doing == nullptr ? "using" : work.doing),
                 work.file == nullptr ? "a file" : work.file, "the file may be damaged");
}

}  // namespace

const char* kept_name(std::string_view name) {
    static std::mutex guard;
    static auto* const names = new std::set<std::string, std::less<>>;  // outlives every thread
    const std::lock_guard lock(guard);
    const std::string shown = printable(name);
    return names->insert(shown).first->c_str();
}

LibraryCall::LibraryCall(const char* library, const char* file, const char* doing) {
    if (file != nullptr) named_last.store(file, std::memory_order_relaxed);
    Slot* const slot = slot_of_this_thread();
    if (slot == nullptr) return;
    slot->steps.fetch_add(1, std::memory_order_relaxed);
    if (file != nullptr || slot->depth == 0) {
        slot->file.store(file != nullptr ? file : named_last.load(std::memory_order_relaxed));
        slot->doing.store(doing);
    }
    if (slot->depth++ == 0) slot->library.store(library);
}

LibraryCall::~LibraryCall() {
    Slot* const slot = mine;
    if (slot == nullptr) return;
    slot->steps.fetch_add(1, std::memory_order_relaxed);
    if (--slot->depth == 0) slot->library.store(nullptr);
}

LibraryWork library_work_of_this_thread() noexcept {
    const Slot* const slot = mine;
    if (slot == nullptr) return {};
    const char* const library = slot->library.load();
    if (library == nullptr) return {};
    return {library, slot->doing.load(), slot->file.load()};
}

void use_signal_stacks() {
    signal_stacks.store(true);
    slot_of_this_thread();
}

LibraryWatch::LibraryWatch(std::chrono::milliseconds limit, OnHang on_hang)
    : limit_(limit), on_hang_(std::move(on_hang)) {
    // Signals are to be handled by other threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { look(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LibraryWatch::~LibraryWatch() {
    {
        const std::lock_guard lock(guard_);
        over_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void LibraryWatch::set_limit(std::chrono::milliseconds limit) {
    {
        const std::lock_guard lock(guard_);
        limit_ = limit;
    }
    changed_.notify_all();
}

void LibraryWatch::look() {
    constexpr std::chrono::milliseconds usual{250};
    std::vector<Watched> watched(slots.size());
    std::unique_lock lock(guard_);
    while (!over_) {
        const std::chrono::milliseconds limit = limit_;
        const auto is_other = [this, limit] { return over_ || limit_ != limit; };
        if (limit.count() <= 0) {
            changed_.wait(lock, is_other);
            continue;
        }
        const std::chrono::milliseconds pause = std::min(usual, limit / 4 + std::chrono::milliseconds(1));
        if (changed_.wait_for(lock, pause, is_other)) continue;
        lock.unlock();
        // No more than the pause: the process may have been suspended meanwhile.
        const double passed = std::chrono::duration<double>(pause).count(),
                     allowed = std::chrono::duration<double>(limit).count();
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const LibraryWork work{slots[i].library.load(), slots[i].doing.load(), slots[i].file.load()};
            Watched& call = watched[i];
            const Look now = work.library != nullptr ? look_at(slots[i]) : Look();
            if (work.library == nullptr || now.has_progressed_since(call.before))
                call = {now, 0, false};
            else
                call = {now, call.seconds + idle_seconds(call.before, now, passed), call.is_told};
            if (call.seconds < allowed || call.is_told) continue;
            call.is_told = true;
            on_hang_(hang_of(work, call.seconds), work);
        }
        lock.lock();
    }
}

}  // namespace ks
