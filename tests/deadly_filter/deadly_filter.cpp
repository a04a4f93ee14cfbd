// A filter of HDF5 that ends the process that reads by it, as a fault in a real one does, or never comes
// back.

#include <H5PLextern.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

namespace {

constexpr H5Z_filter_t number = 300;  // of those that are meant for tests

/// DEADLY_FILTER names a file: then this process leaves its number there and waits.
std::size_t filter(unsigned flags, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) {
    if ((flags & H5Z_FLAG_REVERSE) == 0) return bytes;
    if (const char* file = std::getenv("DEADLY_FILTER")) {
        std::ofstream(file) << getpid() << std::endl;
        while (true) sleep(1);
    }
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
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
