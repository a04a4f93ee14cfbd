#include "core/xpcs/pairs/outliers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

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

double sum_of(ElementType type, const std::byte* frame, std::span<const std::uint32_t> pixels,
              double saturation) {
    double sum = 0;
    visit_element(type, [&](auto zero) {
        using T = decltype(zero);
        const T* const counts = reinterpret_cast<const T*>(frame);
        for (const std::uint32_t pixel : pixels)
            if (is_count(counts[pixel]) && static_cast<double>(counts[pixel]) < saturation)
                sum += static_cast<double>(counts[pixel]);
    });
    return sum;
}

}  // namespace

std::vector<Outlier> outliers_of(std::span<const double> sums) {
    std::vector<Outlier> found;
    const double middle = median_of({sums.begin(), sums.end()});
    std::vector<std::size_t> lit;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (middle > 0 && sums[i] < dark_share * middle)
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
        const double noise = std::sqrt(std::max(median, 0.0));
        const double limit = deviations * std::max(1.4826 * median_of(around), noise);
        const double away = sums[lit[k]] - median;
        if (std::abs(away) > limit)
            found.push_back({lit[k], away < 0 ? OutlierReason::low : OutlierReason::high});
    }
    std::ranges::sort(found, {}, &Outlier::frame);
    return found;
}

FrameSums frame_sums_of(FrameSource& source, const io::FrameRange& range, const QPartition& partition,
                        double saturation, Progress& progress) {
    FrameSums all;
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
            intact = damaged.frame() - first;  // the scan names all damaged frames
            if (intact > 0) source.read(first, intact, {buffer.data(), intact * bytes});
            last = damaged.frame() + 1;
        }
        std::vector<double> sums(intact);
        parallel_for(intact, compute_threads(), [&](std::size_t i) {
            sums[i] = sum_of(source.type(), buffer.data() + i * bytes, partition.pixels(), saturation);
        });
        for (std::size_t i = 0; i < intact; ++i) all.frames.push_back(first + i);
        all.sums.insert(all.sums.end(), sums.begin(), sums.end());
        first = last;
    }
    progress.report(1, "sums of frames");
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
        texts.push_back(fmt::format("{} {} left out automatically ({} of {}), because {} {}",
                                    ranges_in_words(frames), single ? "was" : "were", frames.size(),
                                    numbers.size(), single ? "its sum is" : "their sums are", why));
    };
    add(OutlierReason::dark, "below a tenth of the median of all frames: shutter closed, or no beam");
    add(OutlierReason::low, "far below those of the frames around: loss of beam");
    add(OutlierReason::high, "far above those of the frames around");
    return texts;
}

}  // namespace ks::xpcs
