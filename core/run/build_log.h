#pragma once

#include <string>
#include <vector>

#include "core/base/fields.h"

namespace ks {

/// A program as the device's compiler got it, and the messages of the compiler.
struct BuildLog {
    std::string source_file;  ///< of the source tree, or the user's own
    std::string options;      ///< with all defines
    std::string log;
    bool ok = true;
    std::string cache;           ///< "built", "memory" or "disk": where the binary came from
    std::string text_hash = {};  ///< XXH3 of the text with its includes, 16 hexadecimal digits
    std::vector<std::string> entry_points = {};  ///< kernels that the run took from it, in order
};

void fields(auto& visit, ConstOr<BuildLog> auto& build) {
    visit("source_file", build.source_file);
    visit("options", build.options);
    visit("log", build.log);
    visit("ok", build.ok);
    visit("cache", build.cache);
    visit.added("text_hash", build.text_hash);
    visit.added("entry_points", build.entry_points);
}

/// Of the texts and options of all programs of a run, 16 hexadecimal digits; empty where there is none. The
/// same for runs that compiled the same.
std::string program_hash(const std::vector<BuildLog>& programs);

}  // namespace ks
