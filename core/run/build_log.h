#pragma once

#include <string>
#include <vector>

namespace ks {

/// A program as the device's compiler got it, and what the compiler said.
struct BuildLog {
    std::string source_file;  ///< of the source tree, or the user's own
    std::string options;      ///< with all defines
    std::string log;
    bool ok = true;
    std::string cache;                           ///< "built", "memory" or "disk": where the binary came from
    std::string text_hash = {};                  ///< fnv1a of the text with its includes, 16 hexadecimal digits
    std::vector<std::string> entry_points = {};  ///< kernels that the run took from it, in order
};

/// Of the texts and options of all programs of a run, 16 hexadecimal digits; empty where there is none. The same for
/// runs that compiled the same.
std::string program_hash(const std::vector<BuildLog>& programs);

}  // namespace ks
