// A library call that makes no progress any more is noticed, and one that makes progress, or none at all, is
// not.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "core/io/files/library_call.h"
#include "core/io/hdf5/hdf5.h"

namespace library_call_test {

using ks::kept_name;
using ks::LibraryCall;
using ks::LibraryWatch;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// What a watch tells.
class Told {
  public:
    void operator()(const ks::Error& error, const ks::LibraryWork& work) {
        const std::lock_guard lock(guard_);
        ++times_;
        what_ = error.what();
        library_ = work.library;
    }
    int times() const {
        const std::lock_guard lock(guard_);
        return times_;
    }
    std::string what() const {
        const std::lock_guard lock(guard_);
        return what_;
    }
    bool within(std::chrono::milliseconds time) const {
        for (const auto end = Clock::now() + time; Clock::now() < end && times() == 0;)
            std::this_thread::sleep_for(5ms);
        return times() > 0;
    }

  private:
    mutable std::mutex guard_;
    int times_ = 0;
    std::string what_, library_;
};

TEST(LibraryWatch, tells_once_of_a_call_that_waits_for_ever) {
    Told told;
    std::atomic<bool> over = false;
    std::thread stuck([&over] {
        const LibraryCall call("TIFF", kept_name("bad.tif"));
        while (!over) std::this_thread::sleep_for(1ms);
    });
    {
        const LibraryWatch watch(100ms, std::ref(told));
        EXPECT_TRUE(told.within(10s));
        std::this_thread::sleep_for(500ms);
    }
    over = true;
    stuck.join();
    EXPECT_EQ(told.times(), 1);
    EXPECT_TRUE(told.what().starts_with("bad.tif: the TIFF library made no progress for ")) << told.what();
}

TEST(LibraryWatch, tells_of_a_call_that_computes_for_ever) {
    Told told;
    std::atomic<bool> over = false;
    std::thread stuck([&over] {
        const LibraryCall call("HDF5", kept_name("bad.h5"), "writing");
        while (!over) {
        }
    });
    {
        const LibraryWatch watch(200ms, std::ref(told));
        EXPECT_TRUE(told.within(30s));
    }
    over = true;
    stuck.join();
    EXPECT_NE(told.what().find(" s while writing this file"), std::string::npos) << told.what();
}

TEST(LibraryWatch, says_nothing_of_calls_that_make_progress_nor_of_none) {
    Told told;
    {
        const LibraryWatch watch(200ms, std::ref(told));
        const LibraryCall whole("HDF5", kept_name("long.h5"));
        for (int i = 0; i < 20; ++i) {
            const LibraryCall inner("HDF5", nullptr);
            std::this_thread::sleep_for(50ms);
        }
    }
    {
        const LibraryWatch watch(100ms, std::ref(told));
        std::this_thread::sleep_for(500ms);
    }
    {
        const LibraryWatch watch(0ms, std::ref(told));
        const LibraryCall whole("HDF5", kept_name("long.h5"));
        std::this_thread::sleep_for(500ms);
    }
    EXPECT_EQ(told.times(), 0) << told.what();
}

TEST(LibraryWork, is_of_the_call_that_a_thread_is_in) {
    EXPECT_EQ(ks::library_work_of_this_thread().library, nullptr);
    {
        const LibraryCall outer("HDF5", kept_name("a.h5"));
        EXPECT_STREQ(ks::library_work_of_this_thread().file, "a.h5");
        {
            const LibraryCall inner("HDF5", nullptr);
            EXPECT_STREQ(ks::library_work_of_this_thread().file, "a.h5");
        }
        std::thread([] { EXPECT_EQ(ks::library_work_of_this_thread().library, nullptr); }).join();
        EXPECT_STREQ(ks::library_work_of_this_thread().library, "HDF5");
    }
    EXPECT_EQ(ks::library_work_of_this_thread().library, nullptr);
    EXPECT_STREQ(kept_name("a\x1b[2J"), "a\\x1b[2J");
    EXPECT_EQ(kept_name("same"), kept_name("same"));
}

/// What others see while a thread hangs in HDF5 with the library's own mutex held, as one that is safe for
/// threads holds it. Ends the process, with 0 where all is as it should be.
[[noreturn]] void lose_hdf5() {
    std::atomic<bool> holds = false, came_back = false, touched = false;
    std::thread([&] {
        {
            const ks::io::h5::Lock lock(kept_name("bad.h5"));
            holds = true;
            while (!came_back) std::this_thread::sleep_for(1ms);
        }
        touched = true;
    }).detach();
    while (!holds) std::this_thread::sleep_for(1ms);
    const auto refusal = [](const char* file) {
        try {
            const ks::io::h5::Lock lock(file);
            return std::string("none");
        } catch (const ks::Error& error) {
            return std::string(error.what());
        }
    };
    std::string waited;
    std::thread waits([&] { waited = refusal(kept_name("good.h5")); });
    std::this_thread::sleep_for(100ms);
    ks::io::h5::give_up(kept_name("bad.h5"));
    waits.join();
    const std::string sentence =
        "the file cannot be accessed: HDF5 hangs in bad.h5 and cannot read or write anything else until the "
        "program is restarted";
    { const ks::io::h5::Handle left_open(0); }
    came_back = true;
    std::this_thread::sleep_for(100ms);
    const bool good = waited == "good.h5: " + sentence && refusal(nullptr) == sentence && !touched;
    if (!good) std::fprintf(stderr, "%s\n%s\n", waited.c_str(), refusal(nullptr).c_str());
    std::_Exit(good ? 0 : 1);
}

TEST(LibraryWork, others_are_refused_with_the_name_of_the_file_that_hdf5_hangs_in) {
    EXPECT_EXIT(lose_hdf5(), testing::ExitedWithCode(0), "");
}

}  // namespace library_call_test
