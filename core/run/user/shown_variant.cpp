#include "core/run/user/shown_variant.h"

#include "core/base/hash.h"

namespace ks {

std::string text_mark(std::string_view text) {
    return hash_text(hash_of(text)).substr(0, 6);
}

std::string shown_variant(const Run& run) {
    // A copy of the shipped text does not count as another one.
    const bool is_shipped = !run.variant.from_user() && run.request.kernel_source == run.variant.source;
    return is_shipped ? run.variant.id : shown_variant(run.variant.id, run.request);
}

}  // namespace ks
