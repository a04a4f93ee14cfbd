#pragma once

#include <string>
#include <string_view>

namespace ks {

/// What a process wrote to standard error, divided.
struct WrittenErrors {
    std::string
        abort;  ///< the reason for which the C or C++ library aborted it, one line; empty: neither did
    std::string others;  ///< all other lines
};

/// Finds the lines of glibc, such as "munmap_chunk(): invalid pointer", and those of libstdc++ about an
/// exception that nothing caught; of several, the first is the reason.
WrittenErrors divide_errors(std::string_view written);

}  // namespace ks
