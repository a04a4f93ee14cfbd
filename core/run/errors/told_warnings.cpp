#include "core/run/errors/told_warnings.h"

namespace ks {

std::vector<std::string> told_warnings(const Run& run) {
    std::vector<std::string> told = run.result.warnings;
    if (run.verdict.state != Verdict::State::fail) return told;
    for (std::string& warning : told)
        warning = "the result of this run is wrong, and so may be what follows from it: " + warning;
    return told;
}

}  // namespace ks
