#pragma once

#include <string>

namespace ks {

/// What the device's compiler said of one program.
struct BuildLog {
    std::string source_file;
    std::string options;
    std::string log;
    bool ok = true;
    std::string cache;  ///< "built", "memory" or "disk": where the binary came from
};

}  // namespace ks
