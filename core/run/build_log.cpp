#include "core/run/build_log.h"

#include <fmt/format.h>

#include "core/base/hash.h"

namespace ks {

std::string program_hash(const std::vector<BuildLog>& programs) {
    if (programs.empty()) return {};
    std::uint64_t hash = fnv1a("");
    for (const BuildLog& program : programs)
        hash = fnv1a(program.text_hash + "\n" + program.options + "\n", hash);
    return fmt::format("{:016x}", hash);
}

}  // namespace ks
