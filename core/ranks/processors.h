#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/fields.h"
#include "core/ranks/exchange.h"

namespace ks {

/// The processors that a rank may use, by their numbers on its node.
struct RankProcessors {
    std::string host;
    std::vector<std::int64_t> numbers;
};

KS_FIELDS(RankProcessors, host, numbers)

/// Those of this process.
std::vector<std::int64_t> own_processors();

/// How many threads a rank may use so that no processor of its node runs two: a processor that several ranks
/// may use counts for each of them in equal parts. At least 1.
unsigned fair_threads(std::span<const RankProcessors> all, std::size_t rank);

/// The number of threads for this rank, computed from the processors that all ranks report.
unsigned fair_threads(Exchange& exchange);

}  // namespace ks
