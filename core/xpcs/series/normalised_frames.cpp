#include "core/xpcs/series/normalised_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/array.h"
#include "core/base/element_type.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/raw_bytes.h"
#include "core/data/frame_ranges.h"
#include "core/data/valid_pixels.h"
#include "core/io/files/data_name.h"
#include "core/io/open_frames.h"
#include "core/run/parameter_rows.h"
#include "core/xpcs/pairs/outliers.h"

namespace ks::xpcs {
namespace {

const std::string nothing = "none", frame_sum = "frame-sum", monitor_start = "monitor=";

/// The value of each frame of the source by which it is divided, and what it is.
struct Values {
    std::vector<double> of_frames;
    std::string what;
};

Values sums_of(FrameSource& source, const io::FrameRange& range, const QPartition& partition,
               double first_invalid, Progress& progress) {
    // The scan names missing and damaged frames, and those that leave no pixel.
    Values values{std::vector<double>(source.frames(), 1), "sum"};
    const FrameSums sums = frame_sums_of(source, range, partition, first_invalid, progress);
    for (std::size_t i = 0; i < sums.frames.size(); ++i) values.of_frames[sums.frames[i]] = sums.sums[i];
    return values;
}

Values monitor_of(const std::string& path, const InputRef& input, std::size_t frames) {
    if (input.values)
        throw Error(ErrorKind::input, "frames that are not from a file have no monitor", "normalise");
    const std::string name = io::DataName{io::DataName::parse(input.name).file, path}.to_string();
    const Array monitor = io::read_array(name, 1);
    if (monitor.size() != frames)
        throw Error(ErrorKind::input,
                    fmt::format("expected a monitor value for each of the {} frames, found {}", frames,
                                monitor.size()),
                    name);
    return {monitor.to_doubles(), "monitor value"};
}

}  // namespace

ParameterSpec normalisation_parameter() {
    return parameter::words(
        "normalise", "Normalise", "", nothing.c_str(),
        "Divide the counts of each frame by the sum of its counts in bins (frame-sum, over the pixels that "
        "are valid in all frames that are used), or "
        "by the values of an array in the frames' file (monitor=/path)");
}

Normalisation normalisation_of(const ParameterSet& parameters) {
    if (!parameters.contains("normalise")) return {};
    const std::string word = text(parameters, "normalise");
    if (word.empty() || word == nothing) return {};
    if (word == frame_sum) return {Normalisation::By::frame_sum};
    if (word.starts_with(monitor_start) && word.size() > monitor_start.size())
        return {Normalisation::By::monitor, word.substr(monitor_start.size())};
    throw Error(
        ErrorKind::input,
        fmt::format("expected {}, {} or {}/path, found '{}'", nothing, frame_sum, monitor_start, word),
        "normalise");
}

NormalisedFrames::NormalisedFrames(std::shared_ptr<FrameSource> source, std::vector<double> divisors,
                                   double first_invalid)
    : DerivedFrames(std::move(source)), divisors_(std::move(divisors)), first_invalid_(first_invalid) {}

std::string NormalisedFrames::identity() const {
    return fmt::format("{} divided by {}, below {}", source_->identity(), hash_text(hash_of(divisors_)),
                       first_invalid_);
}

void NormalisedFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    RawBytes raw(count * source_->frame_bytes());
    source_->read(first, count, {raw.data(), raw.size()});
    const std::size_t pixels = source_->pixels();
    float* const out = reinterpret_cast<float*>(into.data());
    visit_element(source_->type(), [&](auto zero) {
        const auto* const counts = reinterpret_cast<const decltype(zero)*>(raw.data());
        for (std::size_t i = 0; i < count * pixels; ++i) {
            const auto value = static_cast<double>(counts[i]);
            out[i] = is_count(counts[i]) && value < first_invalid_
                         ? static_cast<float>(value / divisors_[first + i / pixels])
                         : std::numeric_limits<float>::quiet_NaN();
        }
    });
}

std::shared_ptr<NormalisedFrames> normalised(const std::shared_ptr<FrameSource>& source,
                                             const Normalisation& normalisation, const InputRef& input,
                                             const io::FrameRange& range, const Reduction& reduction,
                                             const QPartition& partition, double first_invalid,
                                             Progress& progress) {
    const io::FrameRange used = used_range(range, reduction);
    Values values = normalisation.by == Normalisation::By::monitor
                        ? monitor_of(normalisation.monitor, input, source->frames())
                        : sums_of(*source, used, partition, first_invalid, progress);
    std::vector<std::size_t> wrong;
    double sum = 0;
    for (std::size_t frame = used.first; frame < used.first + used.count; ++frame) {
        if (std::ranges::binary_search(used.left_out, frame)) continue;
        const double value = values.of_frames[frame];
        if (!(value > 0) || !std::isfinite(value)) wrong.push_back(frame);
        sum += value;
    }
    const std::size_t count = used.count - used.left_out.size();
    if (!wrong.empty()) {
        std::vector<std::size_t> all = range.left_out;
        all.insert(all.end(), wrong.begin(), wrong.end());
        std::ranges::sort(all);
        throw Error(ErrorKind::input,
                    fmt::format("{} {} {} a {} that is not above 0", wrong.size() == 1 ? "frame" : "frames",
                                frame_ranges(wrong), wrong.size() == 1 ? "has" : "have", values.what),
                    source->name(),
                    wrong.size() < count ? "use " + io::leave_out_option(all) : std::string());
    }
    const double mean = sum / static_cast<double>(count);
    for (double& value : values.of_frames) value /= mean;
    return std::make_shared<NormalisedFrames>(source, std::move(values.of_frames), first_invalid);
}

}  // namespace ks::xpcs
