#include "gpu/runtime/table_cache.h"

#include <algorithm>

#include "core/base/hash.h"

namespace ks::gpu {
namespace {

constexpr std::size_t most_tables = 64;
constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;

}  // namespace

TableCache::Key TableCache::key_of(std::span<const std::byte> content) {
    constexpr std::uint64_t other_seed = 0x9e3779b97f4a7c15ULL;
    return {hash_of(content, content.size()), hash_of(content, other_seed)};
}

std::shared_ptr<const Buffer> TableCache::find(const Key& key) {
    const auto at = std::ranges::find(kept_, key, &Kept::key);
    if (at == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, at);
    return kept_.front().table;
}

std::shared_ptr<const Buffer> TableCache::keep(const Key& key, Buffer table) {
    kept_.push_front({key, std::make_shared<const Buffer>(std::move(table))});
    std::shared_ptr<const Buffer> made = kept_.front().table;
    std::uint64_t bytes = 0;
    for (const Kept& kept : kept_) bytes += kept.table->bytes();
    while (kept_.size() > most_tables || bytes > most_bytes) {
        bytes -= kept_.back().table->bytes();
        kept_.pop_back();
    }
    return made;
}

}  // namespace ks::gpu
