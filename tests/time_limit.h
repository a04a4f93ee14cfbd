#pragma once

namespace ks::tests {

/// A limit of time in seconds or as a duration. Sanitizers make programs several times slower: five times as
/// much there.
template <class Time>
constexpr Time time_limit(Time limit) {
#if defined(__SANITIZE_ADDRESS__)
    return 5 * limit;
#else
    return limit;
#endif
}

}  // namespace ks::tests
