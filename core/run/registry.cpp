#include "core/run/registry.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "collected_core.h"
#include "core/base/error.h"

namespace ks {

// What each folder of an analysis defines.
#define KS_DECLARE(folder)                    \
    namespace folder {                        \
    std::vector<Analysis> make_analyses();    \
    std::vector<HostVariant> host_variants(); \
    }
KS_COLLECTED_core(KS_DECLARE)
#undef KS_DECLARE

Registry::Registry() {
    [[maybe_unused]] const auto take = [this](std::vector<Analysis> analyses,
                                              std::vector<HostVariant> variants) {
        std::ranges::move(analyses, std::back_inserter(analyses_));
        host_variants_.insert(host_variants_.end(), std::make_move_iterator(variants.begin()),
                              std::make_move_iterator(variants.end()));
    };
#define KS_TAKE(folder) take(folder::make_analyses(), folder::host_variants());
    KS_COLLECTED_core(KS_TAKE)
#undef KS_TAKE
}

Registry::Registry(std::vector<Analysis> analyses, std::vector<HostVariant> host_variants)
    : analyses_(std::move(analyses)), host_variants_(std::move(host_variants)) {}

const Analysis& Registry::analysis(const std::string& id) const {
    std::string known;
    for (const Analysis& analysis : analyses_) {
        if (analysis.info().id == id) return analysis;
        known += (known.empty() ? "" : ", ") + analysis.info().id;
    }
    throw Error(ErrorKind::input,
                "expected one of " + (known.empty() ? "no analyses" : known) + ", found \"" + id + "\"",
                "analysis");
}

}  // namespace ks
