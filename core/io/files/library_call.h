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

/// What a call works on: texts that are never freed, so that any thread, and a handler of signals, may read
/// them at any time.
struct LibraryWork {
    const char* library = nullptr;  ///< "HDF5"
    const char* doing = nullptr;    ///< "reading" or "writing"
    const char* file = nullptr;     ///< as a terminal may show it
};

/// A name for LibraryCall: kept until the process ends, each text once.
const char* kept_name(std::string_view name);

/// While it lives, this thread is in a library that works on a file. A library of file formats can crash or
/// loop for ever on a damaged file; this is how the rest of the process knows which file it was.
class LibraryCall {
  public:
    /// @param file of kept_name(); null: the file that the process named last
    LibraryCall(const char* library, const char* file, const char* doing = "reading");
    ~LibraryCall();
    LibraryCall(const LibraryCall&) = delete;
    LibraryCall& operator=(const LibraryCall&) = delete;
};

/// The call that this thread is in, for a handler of signals: takes no lock and no memory. Without a library
/// where it is in none.
LibraryWork library_work_of_this_thread() noexcept;

/// Handlers of signals run on a stack of their own on this thread from now on, so that they run where its
/// stack is used up; on every thread that is in a LibraryCall later, too.
void use_signal_stacks();

/// A thread that notices library calls that no longer make progress.
class LibraryWatch {
  public:
    /// Called on the watch's thread, once for a call that hangs, with an ks::Error(input) that names the
    /// file.
    using OnHang = std::function<void(const Error&, const LibraryWork&)>;

    /// @param limit for a call without progress: the thread neither calls the library anew nor
    /// reads or writes anything. Time in which it waits for the disk does not count, and of a thread that
    /// computes its processor time alone, so that neither slow disks nor a busy machine count as a hang.
    /// Zero: there is no limit
    LibraryWatch(std::chrono::milliseconds limit, OnHang on_hang);
    ~LibraryWatch();
    LibraryWatch(const LibraryWatch&) = delete;
    LibraryWatch& operator=(const LibraryWatch&) = delete;

    /// Of the next looks.
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
