// A filter of HDF5 that ends the process that reads by it, as a fault in a real one does, or never comes
// back, or is slow.

#include <H5PLextern.h>
#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>

namespace {

constexpr H5Z_filter_t number = 300;  // of those that are meant for tests

/// DEADLY_FILTER names a file: then this process leaves its number there and waits, or computes for ever
/// where DEADLY_FILTER_SPINS is set. DEADLY_FILTER_MS: it takes so many milliseconds for a chunk and does no
/// harm.
std::size_t filter(unsigned flags, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) {
    if ((flags & H5Z_FLAG_REVERSE) == 0) return bytes;
    if (const char* milliseconds = std::getenv("DEADLY_FILTER_MS")) {
        usleep(1000 * static_cast<unsigned>(std::atoi(milliseconds)));
        return bytes;
    }
    if (const char* file = std::getenv("DEADLY_FILTER")) {
        std::ofstream(file) << getpid() << std::endl;
        const volatile bool spins = std::getenv("DEADLY_FILTER_SPINS") != nullptr;
        for (;;)
            if (!spins) sleep(1);
    }
    // A sanitizer's own handler would report it, and exit.
    struct sigaction now = {};
    if (sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0)
        std::signal(SIGSEGV, SIG_DFL);
    // Not raise(): a compiler within a driver may have put a handler that returns, as after a real fault,
    // which then comes again.
    volatile std::uintptr_t nowhere = 8;
    *reinterpret_cast<volatile int*>(nowhere) = 0;
    return 0;
}

const H5Z_class2_t deadly{H5Z_CLASS_T_VERS, number, 1, 1, "deadly", nullptr, nullptr, filter};

}  // namespace

extern "C" {
H5PL_type_t H5PLget_plugin_type() {
    return H5PL_TYPE_FILTER;
}
const void* H5PLget_plugin_info() {
    return &deadly;
}
}
