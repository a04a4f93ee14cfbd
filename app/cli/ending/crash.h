#pragma once

#include <string>

namespace ks::cli {

/// From now on a crash (an illegal access to memory, a library that aborts) ends this process with one
/// sentence and an exit code, in place of a bare signal: 2 and the name of the file where a library reads
/// one, else 1 and the stage. No temporary files are left behind. Not for a worker, whose parent process
/// tells by the signal how it ended.
void explain_crashes();

/// The stage that a crash is in from now on.
void note_stage(const std::string& stage);

}  // namespace ks::cli
