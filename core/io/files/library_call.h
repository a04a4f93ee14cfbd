#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

#include "core/base/error.h"

namespace ks {

/// What a call works on: texts that are never freed, so that any thread and any signal handler may read them
/// at any time.
struct LibraryWork {
    const char* library = nullptr;  ///< "HDF5"
    const char* doing = nullptr;    ///< "reading" or "writing"
    const char* file = nullptr;     ///< safe to print to a terminal
};

/// A name for LibraryCall: kept until the process ends, each text only once.
const char* kept_name(std::string_view name);

/// While it exists, this thread is in a library that works on a file. A library for file formats can crash or
/// loop forever on a damaged file; this tells the rest of the process which file it was.
class LibraryCall {
  public:
    /// @param file from kept_name(); null: the file that the process named last
    LibraryCall(const char* library, const char* file, const char* doing = "reading");
    ~LibraryCall();
    LibraryCall(const LibraryCall&) = delete;
    LibraryCall& operator=(const LibraryCall&) = delete;
};

/// The call that this thread is in, for signal handlers: takes no lock and allocates no memory. Without a
/// library if it is in none.
LibraryWork library_work_of_this_thread() noexcept;

/// From now on, signal handlers on this thread run on an alternate stack, so that they work even if the stack
/// of the thread is exhausted. The same applies to every thread that enters a LibraryCall later.
void use_signal_stacks();

/// A thread that detects library calls that no longer make progress.
class LibraryWatch {
  public:
    /// Called on the thread of the watch, once per hanging call, with a ks::Error(input) that names the file.
    using OnHang = std::function<void(const Error&, const LibraryWork&)>;

    /// @param limit for a call without progress: the thread neither enters the library again nor reads or
    /// writes anything. Time in which the thread waits for the disk does not count, nor does time in which it
    /// does not get a processor. So neither a slow disk nor a busy machine looks like a hang. Zero: no limit
    LibraryWatch(std::chrono::milliseconds limit, OnHang on_hang);
    ~LibraryWatch();
    LibraryWatch(const LibraryWatch&) = delete;
    LibraryWatch& operator=(const LibraryWatch&) = delete;

    /// Applies from the next observation on.
    void set_limit(std::chrono::milliseconds limit);

  private:
    void look();

    std::mutex guard_;
    std::condition_variable changed_;
    std::chrono::milliseconds limit_;
    OnHang on_hang_;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace ks
