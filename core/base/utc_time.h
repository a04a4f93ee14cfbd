#pragma once

#include <string>

namespace ks {

/// The time of now as "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace ks
