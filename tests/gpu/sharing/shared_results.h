#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/gpu/variant_problems.h"

// What devices that share a run must find: the bytes that one device finds alone.
namespace ks::tests {

/// Facts that tell how fast it was, or which kernels did it.
inline bool tells_how(const std::string& fact) {
    return fact.ends_with("_per_second") || fact == "kernels";
}

inline void expect_same_bytes(const Result& expected, const Result& found, const std::string& what) {
    ASSERT_EQ(expected.datasets.size(), found.datasets.size()) << what;
    for (std::size_t i = 0; i < expected.datasets.size(); ++i) {
        const Dataset &one = expected.datasets[i], &other = found.datasets[i];
        ASSERT_EQ(one.name, other.name) << what;
        EXPECT_EQ(one.title, other.title) << what;
        ASSERT_EQ(one.values.type(), other.values.type()) << what << ", " << one.name;
        ASSERT_EQ(one.values.shape(), other.values.shape()) << what << ", " << one.name;
        const auto a = one.values.bytes(), b = other.values.bytes();
        const auto [at, there] = std::ranges::mismatch(a, b);
        ASSERT_TRUE(at == a.end()) << what << ", " << one.name << " from byte " << at - a.begin() << " of "
                                   << a.size();
    }
    for (const auto& [name, value] : expected.facts.items()) {
        if (tells_how(name)) continue;
        EXPECT_EQ(value, found.facts.value(name, nlohmann::json())) << what << ", " << name;
    }
    EXPECT_EQ(expected.warnings, found.warnings) << what;
}

/// The result of parts of so many units each, by a run each.
inline Result in_parts(const Request& request, const std::shared_ptr<const Problem>& whole,
                       std::size_t units_a_part) {
    const Analysis& analysis = engine().registry().analysis(request.analysis);
    const ShareUnits units = analysis.units(*whole);
    Progress progress;
    std::vector<PartResult> parts;
    std::vector<Timing> timings;
    for (std::size_t first = 0; first < units.count;) {
        const std::size_t end = std::min(units.count, first + units_a_part * units.multiple);
        const Run run = engine().run(request, analysis.part(whole, first, end), progress);
        parts.push_back({first, end, run.result});
        for (Timing row : run.timings) {
            row.device = 0;
            add(timings, std::move(row));
        }
        first = end;
    }
    return analysis.joined(*whole, std::move(parts), timings);
}

/// Every usable variant on every device: parts of 1, 2 and 3 units, and 2, 3 and 4 shares of a device.
/// @return how many variants ran
inline std::size_t expect_shared(const std::string& analysis, const std::string& name,
                                 const std::shared_ptr<const Problem>& whole,
                                 const std::vector<std::string>& but = {}) {
    Progress progress;
    std::size_t ran = 0;
    const Traits traits = engine().registry().analysis(analysis).traits(*whole);
    for (const DeviceInfo& device : engine().devices())
        for (const Offer& offer : engine().offers(analysis, device, traits)) {
            const bool on_host = device.type == "host";
            if (!offer.why_not.empty() || offer.variant.on_host() != on_host ||
                std::ranges::find(but, offer.variant.id) != but.end())
                continue;
            ++ran;
            const std::string own = on_host ? "host" : std::to_string(device.index);
            Request request;
            request.analysis = analysis;
            request.variant = offer.variant.id;
            request.device = own;
            const std::string what = analysis + ", " + name + ", " + offer.variant.id + " on " + device.name;
            const Result expected = engine().run(request, whole, progress).result;
            for (const std::size_t units : {1U, 2U, 3U})
                expect_same_bytes(expected, in_parts(request, whole, units),
                                  what + ", parts of " + std::to_string(units));
            std::string list = own;
            for (int shares = 2; shares <= 4; ++shares) {
                list += "," + own;
                request.device = list;
                expect_same_bytes(expected, engine().run(request, whole, progress).result,
                                  what + " shared as " + list);
            }
            if (testing::Test::HasFailure()) return ran;
        }
    return ran;
}

}  // namespace ks::tests
