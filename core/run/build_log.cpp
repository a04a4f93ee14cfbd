#include "core/run/build_log.h"

#include "core/base/hash.h"

namespace ks {

std::string program_hash(const std::vector<BuildLog>& programs) {
    if (programs.empty()) return {};
    std::uint64_t hash = hash_of(std::string_view());
    for (const BuildLog& program : programs)
        hash = hash_of(program.text_hash + "\n" + program.options + "\n", hash);
    return hash_text(hash);
}

}  // namespace ks
