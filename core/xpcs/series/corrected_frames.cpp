#include "core/xpcs/series/corrected_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/base/element_type.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/host_memory.h"
#include "core/base/raw_bytes.h"
#include "core/data/valid_pixels.h"
#include "core/input/frame_input.h"
#include "core/input/frame_mask.h"
#include "core/io/frame_format.h"
#include "core/run/problem_key.h"
#include "core/xpcs/correlation.h"

namespace ks::xpcs {
namespace {

const std::string dark_role = "dark", flat_role = "flat";

/// Mean of the frames of a source, [y][x]; NaN where a frame has no count or marks the pixel.
std::vector<double> mean_frame(FrameSource& source, Progress& progress) {
    std::vector<double> sums(source.pixels(), 0);
    RawBytes raw(source.frame_bytes());
    const double mark = io::marking_value(source.type()).value_or(nan_value);
    for (std::size_t frame = 0; frame < source.frames(); ++frame) {
        progress.check();
        source.read(frame, 1, {raw.data(), source.frame_bytes()});
        visit_element(source.type(), [&](auto zero) {
            const auto* const values = reinterpret_cast<const decltype(zero)*>(raw.data());
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const auto value = static_cast<double>(values[i]);
                sums[i] += is_count(values[i]) && value != mark ? value : nan_value;
            }
        });
    }
    for (double& sum : sums) sum /= static_cast<double>(source.frames());
    return sums;
}

/// @param role "dark" @param before the same field of an earlier request, or null
std::shared_ptr<const DetectorField> field_of(const Request& request, const std::string& role,
                                              const FrameSource& frames,
                                              std::shared_ptr<const DetectorField> before,
                                              Progress& progress) {
    const InputRef* const given = io::given_input(request, role);
    if (given == nullptr) return nullptr;
    const InputRef& input = *given;
    const std::string state = input.values ? std::string() : file_state(input.name);
    if (before && before->input == input && before->state == state &&
        before->values.size() == frames.pixels())
        return before;
    const auto source = io::open_source(input);
    if (source->height() != frames.height() || source->width() != frames.width())
        throw Error(
            ErrorKind::input,
            fmt::format("the {} field must have the shape {} x {} of the frames {}, found {} x {}", role,
                        frames.height(), frames.width(), frames.name(), source->height(), source->width()),
            source->name());
    io::require_room(*source, sizeof(double) + size_of(source->type()));
    auto field = std::make_shared<DetectorField>();
    field->input = input;
    field->state = state;
    field->name = source->name();
    field->values = mean_frame(*source, progress);
    field->files = io::files_of(*source);
    return field;
}

std::string sentence(const DetectorField& field, const char* kind, const char* wrong, std::size_t pixels) {
    return fmt::format("the {} field {} is {} in {} of {} pixels, which {} masked", kind, field.name, wrong,
                       pixels, field.values.size(), pixels == 1 ? "is" : "are");
}

}  // namespace

std::vector<InputSpec> field_inputs() {
    const auto help = [](const char* what) {
        return fmt::format("FILE or FILE::/path of {} [y][x] ({}); several frames are averaged", what,
                           io::format_titles());
    };
    return {{dark_role, "Dark field", "dark", {}, false, help("a dark field to subtract from each frame")},
            {flat_role,
             "Flat field",
             "flat",
             {},
             false,
             help("a flat field to divide each frame by, after the dark field is subtracted")}};
}

QPartition FieldCorrection::usable(QPartition partition) const {
    if (unusable.empty()) return partition;
    QPartition left = partition.without(unusable);
    if (left.selected() == 0)
        throw Error(
            ErrorKind::input,
            fmt::format("each of the {} pixels in bins has a flat field that is not above 0 or a dark "
                        "field that is not a number",
                        partition.selected()),
            flat ? flat->name : dark->name);
    return left;
}

std::vector<std::string> FieldCorrection::notices() const {
    std::vector<std::string> all;
    if (without_dark > 0) all.push_back(sentence(*dark, "dark", "not a number", without_dark));
    if (without_flat > 0) all.push_back(sentence(*flat, "flat", "not above 0", without_flat));
    return all;
}

FileStates FieldCorrection::files() const {
    FileStates all;
    for (const auto* field : {dark.get(), flat.get()})
        if (field != nullptr) all.add(field->files);
    return all;
}

std::shared_ptr<const FieldCorrection> correction_of(const Request& request, const FrameSource& frames,
                                                     const std::shared_ptr<const FieldCorrection>& before,
                                                     Progress& progress) {
    auto made = std::make_shared<FieldCorrection>();
    made->dark = field_of(request, dark_role, frames, before ? before->dark : nullptr, progress);
    made->flat = field_of(request, flat_role, frames, before ? before->flat : nullptr, progress);
    if (!made->dark && !made->flat) return nullptr;
    if (before && made->dark == before->dark && made->flat == before->flat) return before;
    std::vector<std::uint8_t> unusable(frames.pixels(), 0);
    for (std::size_t i = 0; i < unusable.size(); ++i) {
        const bool no_dark = made->dark && !std::isfinite(made->dark->values[i]),
                   no_flat =
                       made->flat && !(made->flat->values[i] > 0 && std::isfinite(made->flat->values[i]));
        made->without_dark += no_dark ? 1 : 0;
        made->without_flat += no_flat ? 1 : 0;
        unusable[i] = no_dark || no_flat ? 1 : 0;
    }
    if (made->without_dark + made->without_flat > 0) made->unusable = std::move(unusable);
    const auto hash = [](const std::shared_ptr<const DetectorField>& field) {
        return field ? hash_text(hash_of(field->values)) : std::string("none");
    };
    made->key = fmt::format("dark {}, flat {}", hash(made->dark), hash(made->flat));
    return made;
}

CorrectedFrames::CorrectedFrames(std::shared_ptr<FrameSource> source,
                                 std::shared_ptr<const FieldCorrection> correction, double first_invalid)
    : DerivedFrames(std::move(source)), correction_(std::move(correction)), first_invalid_(first_invalid) {
    files_.add(correction_->files());
}

std::string CorrectedFrames::identity() const {
    return fmt::format("{} with {}, below {}", source_->identity(), correction_->key, first_invalid_);
}

void CorrectedFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    constexpr float invalid = std::numeric_limits<float>::quiet_NaN();
    RawBytes raw(count * source_->frame_bytes());
    source_->read(first, count, {raw.data(), raw.size()});
    const std::size_t pixels = source_->pixels();
    const std::span<const double> dark = correction_->dark ? correction_->dark->values
                                                           : std::span<const double>(),
                                  flat = correction_->flat ? correction_->flat->values
                                                           : std::span<const double>();
    const std::vector<std::uint8_t>& unusable = correction_->unusable;
    float* const all = reinterpret_cast<float*>(into.data());
    visit_element(source_->type(), [&](auto zero) {
        using T = decltype(zero);
        for (std::size_t frame = 0; frame < count; ++frame) {
            const T* const counts = reinterpret_cast<const T*>(raw.data()) + frame * pixels;
            float* const out = all + frame * pixels;
            for (std::size_t i = 0; i < pixels; ++i) {
                const auto value = static_cast<double>(counts[i]);
                const bool valid =
                    is_count(counts[i]) && value < first_invalid_ && (unusable.empty() || unusable[i] == 0);
                const double signal = dark.empty() ? value : value - dark[i];
                out[i] = valid ? static_cast<float>(flat.empty() ? signal : signal / flat[i]) : invalid;
            }
        }
    });
}

}  // namespace ks::xpcs
