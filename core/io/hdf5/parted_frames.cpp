#include "core/io/hdf5/parted_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/hdf5/nexus.h"

namespace ks::io {
namespace {

constexpr const char* detector_specific = "/entry/instrument/detector/detectorSpecific";

/// How many frames the detector was asked for; nothing where the file does not say.
std::optional<std::size_t> frames_asked_for(const h5::Handle& file, const std::string& file_name) {
    const auto number = [&](const char* name) -> std::optional<std::size_t> {
        try {
            const h5::Handle group = h5::open_object(file, file_name, detector_specific);
            const std::optional<Measured> found = measured({detector_specific, group.share()}, name);
            constexpr double largest = 1e12;
            if (!found || !(found->value >= 1) || !(found->value < largest)) return std::nullopt;
            return static_cast<std::size_t>(found->value);
        } catch (const Error&) {
            return std::nullopt;
        }
    };
    const std::optional<std::size_t> images = number("nimages");
    if (!images) return std::nullopt;
    return *images * number("ntrigger").value_or(1);
}

}  // namespace

PartedFrames::PartedFrames(const h5::Handle& file, const DataName& name, const SeriesParts& parts)
    : name_{name.file, parts.group} {
    const h5::Lock lock;
    for (const std::string& one : parts.names) {
        Part& part = parts_.emplace_back();
        part.path = join(parts.group, one);
        open(file, part);
    }
    const auto opened = [](const Part& part) { return part.source != nullptr; };
    if (std::ranges::none_of(parts_, opened))
        throw Error(ErrorKind::input,
                    fmt::format("none of the {} parts of the series can be opened; {}", parts_.size(),
                                parts_.front().why),
                    name_.to_string());
    for (const Part& part : parts_) require_alike(part);
    count_frames(file);
    files_.add(name_.file, h5::is_swmr(file));
    for (const Part& part : parts_)
        if (part.source) files_.add(part.source->files());
}

void PartedFrames::open(const h5::Handle& file, Part& part) {
    try {
        h5::open_dataset(file, name_.file.string(), part.path);
    } catch (const Error& error) {
        part.why = error.message();
        return;
    }
    part.source = std::make_unique<Hdf5Frames>(file.share(), DataName{name_.file, part.path});
    if (part.source->needs_swmr()) throw still_written(part.source->name());
}

const Hdf5Frames& PartedFrames::any() const {
    return *std::ranges::find_if(parts_, [](const Part& part) { return part.source != nullptr; })->source;
}

void PartedFrames::require_alike(const Part& part) const {
    const Hdf5Frames& first = any();
    if (!part.source || (part.source->height() == first.height() && part.source->width() == first.width() &&
                         part.source->type() == first.type()))
        return;
    throw Error(ErrorKind::input,
                fmt::format("expected frames of {} x {} {} as in {}, found {} x {} {}", first.height(),
                            first.width(), ks::name_of(first.type()), first.name(), part.source->height(),
                            part.source->width(), ks::name_of(part.source->type())),
                part.source->name(), "name one part as FILE::/path");
}

void PartedFrames::count_frames(const h5::Handle& file) {
    // All parts but the last one are full.
    std::optional<std::size_t> full;
    for (std::size_t i = 0; i + 1 < parts_.size() && !full; ++i)
        if (parts_[i].source) full = parts_[i].source->frames();
    std::size_t done = 0;
    for (Part& part : parts_) {
        std::optional<std::size_t> frames = full;
        if (part.source) {
            frames = part.source->frames();
        } else if (&part == &parts_.back()) {
            const std::optional<std::size_t> all = frames_asked_for(file, name_.file.string());
            frames = all && *all > done && full && *all - done <= *full ? std::optional(*all - done)
                                                                        : std::nullopt;
        }
        if (!frames)
            throw Error(ErrorKind::input,
                        fmt::format("how many frames {} has is not known, and it cannot be opened: {}",
                                    part.path, part.why),
                        name_.to_string(), "name one of the other parts as FILE::/path");
        part.first = done;
        part.frames = *frames;
        done += *frames;
    }
}

std::string PartedFrames::identity() const {
    std::string all;
    for (const Part& part : parts_) {
        const std::string one = part.source ? part.source->identity() : part.path + " is missing";
        all.append(all.empty() ? 0 : 1, '\n').append(one);
    }
    return all;
}

const PartedFrames::Part& PartedFrames::part_of(std::size_t frame) const {
    const auto after = std::ranges::upper_bound(parts_, frame, {}, &Part::first);
    return *std::prev(after);
}

bool PartedFrames::written(std::size_t frame) const {
    if (frame >= frames()) return false;
    const Part& part = part_of(frame);
    return part.source && part.source->written(frame - part.first);
}

bool PartedFrames::reads_side_by_side() const {
    return std::ranges::all_of(
        parts_, [](const Part& part) { return !part.source || part.source->reads_side_by_side(); });
}

void PartedFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    for (std::size_t done = 0; done < count;) {
        const Part& part = part_of(first + done);
        const std::size_t local = first + done - part.first,
                          now = std::min(count - done, part.frames - local);
        if (!part.source)
            throw Error(ErrorKind::input,
                        fmt::format("frame {} is in {}, which cannot be opened: {}", first + done, part.path,
                                    part.why),
                        name());
        part.source->read(local, now, into.subspan(done * frame_bytes(), now * frame_bytes()));
        done += now;
    }
}

}  // namespace ks::io
