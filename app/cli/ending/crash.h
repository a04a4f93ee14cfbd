#pragma once

#include <string>

namespace ks::cli {

/// From now on a crash (an illegal memory access, a library that aborts) ends this process with one sentence
/// and an exit code instead of a bare signal: 2 and the name of the file if a library was reading one, else 1
/// and the stage. No temporary files are left behind. Not for a worker, whose parent process reports the
/// signal that ended it.
void explain_crashes();

/// Sets the stage that a later crash is attributed to.
void note_stage(const std::string& stage);

}  // namespace ks::cli
