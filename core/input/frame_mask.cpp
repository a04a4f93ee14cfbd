#include "core/input/frame_mask.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/data/count_text.h"
#include "core/data/damaged_frame.h"
#include "core/input/frame_input.h"
#include "core/io/frame_format.h"
#include "core/io/labels/label_file.h"
#include "core/io/series/series.h"
#include "core/run/parameter_rows.h"
#include "core/run/problem_key.h"

namespace ks::io {
namespace {

/// Rejects a mask of another shape than the frames before it is read, since a file may claim any shape.
ShapeCheck shape_of(const FrameSource& frames, const std::string& name) {
    return [&frames, name](const std::vector<std::size_t>& shape) {
        if (shape == std::vector<std::size_t>{frames.height(), frames.width()}) return;
        if (shape.size() == 3)
            throw Error(ErrorKind::input,
                        fmt::format("expected one mask for all frames, [y, x], found a mask per frame, [{}]",
                                    fmt::join(shape, ", ")),
                        name);
        throw Error(ErrorKind::input,
                    fmt::format("the mask must have the frames' shape {} x {}, found {} x {}",
                                frames.height(), frames.width(), shape[0], shape[1]),
                    name);
    };
}

/// Whatever is not 0 is ignored. @param values of rank 2
PixelMask mask_from(const Array& values, const std::string& name, const FrameSource& frames) {
    if (is_float(values.type()))
        throw Error(ErrorKind::input,
                    fmt::format("expected a mask of integers (0: use, else ignore), found {}",
                                name_of(values.type())),
                    name);
    shape_of(frames, name)(values.shape());
    return mask_of(values, name);
}

PixelMask mask_from_runs(const Array& runs, const std::string& name, const FrameSource& frames) {
    PixelMask mask{frames.height(), frames.width(), std::vector<std::uint8_t>(frames.pixels(), 0)};
    const auto values = runs.as<std::uint32_t>();
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
        const std::uint64_t start = values[i], end = start + values[i + 1];
        if (end > frames.pixels())
            throw Error(
                ErrorKind::input,
                fmt::format(
                    "a run of ignored pixels in the mask ends at pixel {}, but the frame has only {} pixels",
                    end, frames.pixels()),
                name);
        std::fill(mask.ignore.begin() + static_cast<std::ptrdiff_t>(start),
                  mask.ignore.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{1});
    }
    return mask;
}

PixelMask mask_from_values(const Array& values, const std::string& name, const FrameSource& frames) {
    const bool plane = values.rank() == 2;
    if (plane && values.type() == ElementType::u32 && values.shape()[1] == 2)
        return mask_from_runs(values, name, frames);
    if (!plane || values.type() != ElementType::u8)
        throw Error(ErrorKind::input,
                    fmt::format("expected a mask as u8 [y][x] or as u32 runs [n][2], found {} with {} "
                                "dimensions",
                                name_of(values.type()), values.rank()),
                    name);
    return mask_from(values, name, frames);
}

/// The first mask that fits; if none does, throws the error of the first one.
PixelMask file_mask(const std::vector<std::string>& masks, const FrameSource& frames) {
    std::optional<Error> fault;
    for (const std::string& name : masks) {
        try {
            return mask_from(read_mask_image(name, shape_of(frames, name)), name, frames);
        } catch (const Error& error) {
            if (!fault)
                fault.emplace(error.kind(), error.message(), error.where(),
                              "turn file_mask off to ignore this mask");
        }
    }
    if (fault) throw *fault;
    return {};
}

/// Largest number of frames to search for pixels that no frame has.
constexpr std::size_t most_looked_at = 100000;

/// Records the pixels that frames lack; those that all of them lack are masked.
void note_lacking(const FrameSource& frames, DetectorFields& fields) {
    fields.lacks_pixels = frames.may_lack_pixels();
    if (!fields.lacks_pixels || frames.frames() > most_looked_at) return;
    std::vector<std::size_t> lacking;
    std::optional<PixelBlocks> always;
    PixelBlocks before;
    for (std::size_t frame = 0; frame < frames.frames(); ++frame) {
        if (!frames.written(frame)) continue;
        PixelBlocks blocks = frames.lacking(frame);
        if (!blocks.empty()) lacking.push_back(frame);
        if (always && blocks == before) continue;
        // The intersection: everything except what is missing from either one.
        always = always ? disjoint(*always, disjoint(*always, blocks)) : blocks;
        before = std::move(blocks);
    }
    fields.lacks_pixels = !lacking.empty();
    if (lacking.empty()) return;
    if (const std::size_t n = pixels_of(*always); n > 0) {
        fields.mask.height = frames.height();
        fields.mask.width = frames.width();
        if (fields.mask.empty()) fields.mask.ignore.assign(frames.pixels(), 0);
        for (const PixelBlock& block : *always)
            for (std::size_t row = block.top; row < block.bottom; ++row)
                std::fill_n(fields.mask.ignore.begin() +
                                static_cast<std::ptrdiff_t>(row * frames.width() + block.left),
                            block.right - block.left, std::uint8_t{1});
        fields.notices.push_back(fmt::format("{} of {} {} no values in any frame of {}, and {} masked", n,
                                             count_text(frames.pixels(), "pixel"), n == 1 ? "has" : "have",
                                             frames.name(), n == 1 ? "is" : "are"));
    }
    std::vector<std::size_t> in_part;
    for (const std::size_t frame : lacking)
        if (frames.lacking(frame) != *always) in_part.push_back(frame);
    if (!in_part.empty())
        fields.notices.push_back(
            fmt::format("some pixels have no values in {} of {} of {}, and count as invalid there; {} {}",
                        in_part.size(), count_text(frames.frames(), "frame"), frames.name(),
                        in_part.size() == 1 ? "this frame is" : "these frames are", frame_list(in_part)));
}

/// A mask that ignores most of a frame may be inverted.
std::optional<std::string> why_odd(std::size_t ignored, std::size_t pixels, const std::string& name) {
    constexpr double most = 0.75;
    const double share = static_cast<double>(ignored) / static_cast<double>(pixels);
    if (!(share > most)) return std::nullopt;
    return fmt::format(
        "{}: the mask excludes {} of {} pixels ({:.0f} %), so it may be inverted; 0 means that a pixel is "
        "used, any other value that it is excluded",
        name, ignored, pixels, 100 * share);
}

}  // namespace

InputSpec mask_input() {
    return {"mask",
            "Mask",
            "mask",
            {},
            false,
            "FILE or FILE::/path of integers [y][x] (0: use, else ignore; " + format_titles() +
                "), in addition to the mask in the file"};
}

std::vector<ParameterSpec> mask_parameters() {
    return {parameter::optional_number("saturation", "Saturation", "counts", "from the file",
                                       parameter::above_zero, 1e12,
                                       "Counts at or above this value are invalid. Default: counts above the "
                                       "saturation value in the file, if it has one"),
            parameter::flag("file_mask", "Mask of the file", true,
                            "Also ignore the pixels of the file's pixel_mask")};
}

std::shared_ptr<const GivenMask> given_mask(const InputRef& input, const FrameSource& frames,
                                            std::shared_ptr<const GivenMask> before) {
    const std::string state = input.values ? "" : file_state(input.name);
    if (before && before->input == input && before->state == state &&
        before->mask.height == frames.height() && before->mask.width == frames.width())
        return before;
    auto made = std::make_shared<GivenMask>(GivenMask{input, state, {}});
    const std::string name = input.name.empty() ? "mask" : input.name;
    made->mask = input.values ? mask_from_values(*input.values, name, frames)
                              : mask_from(read_mask_image(name, shape_of(frames, name)), name, frames);
    return made;
}

std::shared_ptr<const DetectorFields> detector_fields(const InputRef& input, const FrameSource& frames,
                                                      bool want_mask,
                                                      std::shared_ptr<const DetectorFields> before) {
    const std::string key = frames.identity() + (want_mask ? " with mask" : "");
    if (before && before->key == key) return before;
    auto made = std::make_shared<DetectorFields>();
    made->key = key;
    if (input.values) return made;
    const DataName given = DataName::parse(input.name), name{first_file(given.file), given.object};
    const FrameFormat& format = format_to_read(name);
    if (!format.pixels) return made;
    FilePixels pixels = format.pixels(name);
    made->saturation = pixels.saturation;
    made->notices = std::move(pixels.faults);
    if (want_mask) made->mask = file_mask(pixels.masks, frames);
    note_lacking(frames, *made);
    return made;
}

PixelMask IgnoredPixels::mask() const {
    if (!given) return fields->mask;
    PixelMask all = given->mask;
    const std::vector<std::uint8_t>& own = fields->mask.ignore;
    for (std::size_t i = 0; i < own.size(); ++i)
        all.ignore[i] = static_cast<std::uint8_t>(all.ignore[i] | own[i]);
    return all;
}

std::shared_ptr<const IgnoredPixels> ignored_pixels(const Request& request, const FrameSource& frames,
                                                    std::shared_ptr<const IgnoredPixels> before) {
    auto made = std::make_shared<IgnoredPixels>();
    made->fields =
        detector_fields(required_input(request, "frames"), frames, boolean(request.parameters, "file_mask"),
                        before ? before->fields : nullptr);
    if (const auto mask = request.inputs.find("mask"); mask != request.inputs.end())
        made->given = given_mask(mask->second, frames, before ? before->given : nullptr);
    if (before && made->fields == before->fields && made->given == before->given) return before;
    const auto ignored = [](const PixelMask& mask) {
        return mask.ignore.size() -
               static_cast<std::size_t>(std::ranges::count(mask.ignore, std::uint8_t{0}));
    };
    made->of_file = ignored(made->fields->mask);
    made->of_given = made->given ? ignored(made->given->mask) : 0;
    made->masked =
        made->of_file > 0 && made->of_given > 0 ? ignored(made->mask()) : made->of_file + made->of_given;
    made->notices = made->fields->notices;
    if (const auto why = why_odd(made->of_file, frames.pixels(), frames.name()))
        made->notices.push_back(*why);
    if (made->given)
        if (const auto why = why_odd(made->of_given, frames.pixels(), made->given->input.name))
            made->notices.push_back(*why);
    return made;
}

double first_invalid(const ParameterSet& set, const IgnoredPixels& ignored, ElementType type) {
    const double no_count = ignored.fields->lacks_pixels
                                ? marking_value(type).value_or(std::numeric_limits<double>::infinity())
                                : std::numeric_limits<double>::infinity();
    if (const auto given = optional_real(set, "saturation")) return std::min(*given, no_count);
    const std::optional<double> last_valid = ignored.fields->saturation;
    if (!last_valid || *last_valid >= no_count) return no_count;
    if (!is_float(type)) return std::floor(*last_valid) + 1;
    auto limit = static_cast<float>(*last_valid);
    while (!(static_cast<double>(limit) > *last_valid))
        limit = std::nextafter(limit, std::numeric_limits<float>::infinity());
    return static_cast<double>(limit);
}

std::optional<double> marking_value(ElementType type) {
    switch (type) {
        case ElementType::u8:
            return std::numeric_limits<std::uint8_t>::max();
        case ElementType::u16:
            return std::numeric_limits<std::uint16_t>::max();
        case ElementType::u32:
            return std::numeric_limits<std::uint32_t>::max();
        default:
            return std::nullopt;
    }
}

const char* invalid_words(ElementType type) {
    if (is_float(type)) return "NaN, infinite or saturated";
    return is_signed(type) ? "negative or saturated" : "saturated";
}

std::string marking_warning(const std::string& pixels, ElementType type) {
    return fmt::format(
        "{} of {:.0f}, the highest value of {}, and no mask or saturation excludes them; if the "
        "detector writes this value for pixels without a count, as many detectors do, mask these pixels or "
        "set the saturation to {:.0f}",
        pixels, marking_value(type).value_or(0), name_of(type), marking_value(type).value_or(0));
}

}  // namespace ks::io
