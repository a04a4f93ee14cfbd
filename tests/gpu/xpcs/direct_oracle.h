#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// g2 and its error by the definitions, in the plainest loops there are: no code of the program is used.
struct DirectOracle {
    std::size_t frames, pixels;
    std::vector<double> counts;       ///< [frame][pixel]
    std::vector<std::int32_t> label;  ///< [pixel]
    std::vector<std::size_t> left_out = {};

    struct Value {
        double g2, err;
    };

    bool uses(std::size_t frame) const {
        return std::find(left_out.begin(), left_out.end(), frame) == left_out.end();
    }

    std::vector<std::size_t> pixels_of(std::int32_t bin) const {
        std::vector<std::size_t> chosen;
        for (std::size_t p = 0; p < pixels; ++p)
            if (label[p] == bin) chosen.push_back(p);
        return chosen;
    }

    /// Products of counts are integers below 2^53 here, so long double sums of them are exact.
    std::vector<Value> bin(std::int32_t wanted) const {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        const std::vector<std::size_t> chosen = pixels_of(wanted);
        const auto n = static_cast<long double>(chosen.size());
        std::vector<std::vector<double>> rows(frames);
        std::vector<long double> s(frames, 0);
        for (std::size_t t = 0; t < frames; ++t)
            for (const std::size_t p : chosen) {
                rows[t].push_back(counts[t * pixels + p]);
                s[t] += rows[t].back();
            }
        std::vector<Value> all(frames, {nan, nan});
        for (std::size_t tau = 0; tau < frames; ++tau) {
            long double g_sum = 0, ss_sum = 0;
            std::vector<long double> ratios;
            for (std::size_t t = 0; t + tau < frames; ++t) {
                if (!uses(t) || !uses(t + tau)) continue;
                long double g = 0;
                for (std::size_t i = 0; i < chosen.size(); ++i)
                    g += static_cast<long double>(rows[t][i]) * rows[t + tau][i];
                const long double ss = s[t] * s[t + tau];
                g_sum += g;
                if (!chosen.empty()) ss_sum += ss / n;
                if (ss != 0) ratios.push_back(n * g / ss);
            }
            if (ss_sum != 0) all[tau].g2 = static_cast<double>(g_sum / ss_sum);
            if (ratios.empty()) continue;
            long double mean = 0, squares = 0;
            for (const long double c : ratios) mean += c;
            mean /= static_cast<long double>(ratios.size());
            for (const long double c : ratios) squares += (c - mean) * (c - mean);
            const auto m = static_cast<long double>(ratios.size());
            all[tau].err = static_cast<double>(std::sqrt(squares / m) / std::sqrt(m));
        }
        return all;
    }
};
