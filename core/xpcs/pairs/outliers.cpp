#include "core/xpcs/pairs/outliers.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/base/element_type.h"
#include "core/base/parallel.h"
#include "core/base/quantile.h"
#include "core/base/raw_bytes.h"
#include "core/base/threads.h"
#include "core/data/damaged_frame.h"
#include "core/data/frame_ranges.h"
#include "core/data/valid_pixels.h"

namespace ks::xpcs {
namespace {

constexpr std::size_t window = 51;
constexpr double deviations = 6, dark_share = 0.1;
const std::string auto_word = "auto";

double median_of(std::vector<double> values) {
    return quantile(std::move(values), 0.5);
}

/// The words of a list between commas, without spaces around them.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (c == ',')
            words.emplace_back();
        else if (c != ' ')
            words.back() += c;
    }
    return words;
}

/// Calls use(position in the list, value, whether it is valid) for each pixel of a list.
template <class Use>
void for_pixels(ElementType type, const std::byte* frame, std::span<const std::uint32_t> pixels,
                double saturation, const Use& use) {
    visit_element(type, [&](auto zero) {
        using T = decltype(zero);
        const T* const counts = reinterpret_cast<const T*>(frame);
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            const T count = counts[pixels[i]];
            const auto value = static_cast<double>(count);
            use(i, value, is_count(count) && value < saturation);
        }
    });
}

/// Reads the frames of a range that are not left out, missing or damaged, a slab at a time: the scan names
/// those. @param use use(first, count, bytes)
template <class Use>
void for_readable(FrameSource& source, const io::FrameRange& range, Progress& progress, const Use& use) {
    constexpr std::size_t slab_bytes = std::size_t{32} << 20;
    const std::size_t bytes = source.frame_bytes(), end = range.first + range.count;
    const std::size_t slab = std::clamp<std::size_t>(slab_bytes / bytes, 1, range.count);
    RawBytes buffer(slab * bytes);
    const auto readable = [&](std::size_t frame) {
        return !std::ranges::binary_search(range.left_out, frame) && source.written(frame);
    };
    for (std::size_t first = range.first; first < end;) {
        progress.report(static_cast<double>(first - range.first) / static_cast<double>(range.count),
                        "sums of frames");
        std::size_t last = first;
        while (last < end && last - first < slab && readable(last)) ++last;
        const std::size_t count = last - first;
        if (count == 0) {
            ++first;
            continue;
        }
        std::size_t intact = count;
        try {
            source.read(first, count, {buffer.data(), count * bytes});
        } catch (const DamagedFrame& damaged) {
            intact = damaged.frame() - first;
            if (intact > 0) source.read(first, intact, {buffer.data(), intact * bytes});
            last = damaged.frame() + 1;
        }
        if (intact > 0) use(first, intact, buffer.data());
        first = last;
    }
    progress.report(1, "sums of frames");
}

/// Sums over the valid pixels of each frame.
struct ValidSums {
    FrameSums all;
    std::vector<std::size_t> valid;        ///< number of valid pixels of each frame
    std::vector<std::uint8_t> is_invalid;  ///< [pixel of the partition] in some frame
    /// Whether the same pixels are valid in all frames.
    bool alike() const {
        const auto always = static_cast<std::size_t>(std::ranges::count(is_invalid, 0));
        return std::ranges::all_of(valid, [always](std::size_t n) { return n == always; });
    }
};

ValidSums valid_sums_of(FrameSource& source, const io::FrameRange& range,
                        std::span<const std::uint32_t> pixels, double saturation, Progress& progress) {
    ValidSums found{{}, {}, std::vector<std::uint8_t>(pixels.size(), 0)};
    const auto mark = [&found](std::size_t i) {
        std::atomic_ref(found.is_invalid[i]).store(1, std::memory_order_relaxed);
    };
    for_readable(source, range, progress, [&](std::size_t first, std::size_t count, const std::byte* frames) {
        std::vector<double> sums(count);
        std::vector<std::size_t> valid(count);
        parallel_for(count, compute_threads(), [&](std::size_t t) {
            double sum = 0;
            std::size_t n = 0;
            for_pixels(source.type(), frames + t * source.frame_bytes(), pixels, saturation,
                       [&](std::size_t i, double value, bool is_valid) {
                           if (!is_valid) return mark(i);
                           sum += value;
                           ++n;
                       });
            sums[t] = sum;
            valid[t] = n;
        });
        for (std::size_t t = 0; t < count; ++t) found.all.frames.push_back(first + t);
        found.all.sums.insert(found.all.sums.end(), sums.begin(), sums.end());
        found.valid.insert(found.valid.end(), valid.begin(), valid.end());
    });
    return found;
}

/// The mean of each pixel over the frames in which it is valid; 0 where there are none.
std::vector<double> means_of(FrameSource& source, const io::FrameRange& range,
                             std::span<const std::uint32_t> pixels, double saturation, Progress& progress) {
    constexpr std::size_t block = 4096;
    std::vector<double> sums(pixels.size(), 0), frames_of(pixels.size(), 0);
    for_readable(source, range, progress, [&](std::size_t, std::size_t count, const std::byte* frames) {
        parallel_for((pixels.size() + block - 1) / block, compute_threads(), [&](std::size_t part) {
            const std::size_t from = part * block, n = std::min(block, pixels.size() - from);
            for (std::size_t t = 0; t < count; ++t)
                for_pixels(source.type(), frames + t * source.frame_bytes(), pixels.subspan(from, n),
                           saturation, [&](std::size_t i, double value, bool is_valid) {
                               if (!is_valid) return;
                               sums[from + i] += value;
                               ++frames_of[from + i];
                           });
        });
    });
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= std::max(frames_of[i], 1.0);
    return sums;
}

}  // namespace

std::vector<Outlier> outliers_of(std::span<const double> sums, std::span<const double> shares) {
    const auto share = [shares](std::size_t i) { return shares.empty() ? 1.0 : shares[i]; };
    std::vector<Outlier> found;
    std::vector<double> seen;
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (share(i) > 0) seen.push_back(sums[i]);
    if (seen.empty()) return found;
    const double middle = median_of(std::move(seen));
    const auto noise_of = [&](double sum, std::size_t i) { return std::sqrt(std::max(sum, 0.0) / share(i)); };
    // That a few pixels count nothing need not mean anything.
    const auto is_dark = [&](std::size_t i) {
        return middle > 0 && sums[i] < dark_share * middle &&
               (share(i) == 1 || middle - sums[i] > deviations * noise_of(middle, i));
    };
    std::vector<std::size_t> lit;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (!(share(i) > 0))
            found.push_back({i, OutlierReason::invalid});
        else if (is_dark(i))
            found.push_back({i, OutlierReason::dark});
        else
            lit.push_back(i);
    }
    for (std::size_t k = 0; k < lit.size(); ++k) {
        const std::size_t n = std::min(window, lit.size());
        const std::size_t first = std::min(k - std::min(k, window / 2), lit.size() - n);
        std::vector<double> around;
        for (std::size_t i = first; i < first + n; ++i) around.push_back(sums[lit[i]]);
        const double median = median_of(around);
        for (double& value : around) value = std::abs(value - median);
        const double limit = deviations * std::max(1.4826 * median_of(around), noise_of(median, lit[k]));
        const double away = sums[lit[k]] - median;
        if (std::abs(away) > limit)
            found.push_back({lit[k], away < 0 ? OutlierReason::low : OutlierReason::high});
    }
    std::ranges::sort(found, {}, &Outlier::frame);
    return found;
}

FrameSums frame_sums_of(FrameSource& source, const io::FrameRange& range, const QPartition& partition,
                        double saturation, Progress& progress) {
    ValidSums found = valid_sums_of(source, range, partition.pixels(), saturation, progress);
    if (found.alike()) return found.valid.empty() || found.valid.front() == 0 ? FrameSums() : found.all;
    std::vector<std::uint32_t> always;
    for (std::size_t i = 0; i < found.is_invalid.size(); ++i)
        if (found.is_invalid[i] == 0) always.push_back(partition.pixels()[i]);
    if (always.empty()) return {};
    return valid_sums_of(source, range, always, saturation, progress).all;
}

FrameSums intensities_of(FrameSource& source, const io::FrameRange& range, const QPartition& partition,
                         double saturation, Progress& progress) {
    const std::span<const std::uint32_t> pixels = partition.pixels();
    const ValidSums found = valid_sums_of(source, range, pixels, saturation, progress);
    FrameSums all = found.all;
    if (found.alike() && (found.valid.empty() || found.valid.front() > 0)) return all;
    const std::vector<double> means = means_of(source, range, pixels, saturation, progress);
    const double mean = std::accumulate(means.begin(), means.end(), 0.0);
    std::vector<double> expected(source.frames(), 0);
    for_readable(source, range, progress, [&](std::size_t first, std::size_t count, const std::byte* frames) {
        parallel_for(count, compute_threads(), [&](std::size_t t) {
            for_pixels(source.type(), frames + t * source.frame_bytes(), pixels, saturation,
                       [&](std::size_t i, double, bool is_valid) {
                           if (is_valid) expected[first + t] += means[i];
                       });
        });
    });
    for (std::size_t i = 0; i < all.frames.size(); ++i) {
        const double of_frame = expected[all.frames[i]];
        // Without intensity, or with sums below 0, pixels count alike.
        const double share = found.valid[i] == 0 ? 0
                             : of_frame > 0 && mean > 0
                                 ? of_frame / mean
                                 : static_cast<double>(found.valid[i]) / static_cast<double>(pixels.size());
        all.shares.push_back(share);
        if (share > 0) all.sums[i] /= share;
    }
    return all;
}

bool names_auto(const std::string& frames) {
    const std::vector<std::string> words = words_of(frames);
    return std::ranges::find(words, auto_word) != words.end();
}

std::string without_auto(const std::string& frames) {
    std::string rest;
    for (const std::string& word : words_of(frames))
        if (word != auto_word) rest += (rest.empty() ? "" : ",") + word;
    return rest.empty() ? std::string(no_frames) : rest;
}

std::vector<std::string> outlier_texts(const std::vector<Outlier>& outliers,
                                       const std::vector<std::size_t>& numbers) {
    std::vector<std::string> texts;
    const auto add = [&](OutlierReason reason, const char* why) {
        std::vector<std::size_t> frames;
        for (const Outlier& one : outliers)
            if (one.reason == reason) frames.push_back(numbers[one.frame]);
        if (frames.empty()) return;
        const bool single = frames.size() == 1;
        const char* const what = reason == OutlierReason::invalid ? (single ? "it has" : "they have")
                                 : single                         ? "its sum is"
                                                                  : "their sums are";
        texts.push_back(fmt::format("{} {} left out automatically ({} of {}), because {} {}",
                                    ranges_in_words(frames), single ? "was" : "were", frames.size(),
                                    numbers.size(), what, why));
    };
    add(OutlierReason::invalid, "no valid pixel in bins");
    add(OutlierReason::dark, "below a tenth of the median of all frames: shutter closed, or no beam");
    add(OutlierReason::low, "far below those of the frames around: loss of beam");
    add(OutlierReason::high, "far above those of the frames around");
    return texts;
}

}  // namespace ks::xpcs
