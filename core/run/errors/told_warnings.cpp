#include "core/run/errors/told_warnings.h"

namespace ks {

std::vector<std::string> told_warnings(const Run& run) {
    std::vector<std::string> told = run.result.warnings;
    if (run.verdict.state != Verdict::State::fail) return told;
    if (!told.empty())
        told.emplace_back(
            "the result of this run is wrong, so what these warnings say of its values may be wrong as well");
    return told;
}

}  // namespace ks
