#include "core/io/hdf5/parted_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/data/damaged_frame.h"
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
    : name_{name.file, parts.group}, open_(file, name.file) {
    const h5::Lock lock;
    files_.add(name_.file, h5::is_swmr(file));
    for (const std::string& one : parts.names) {
        Part& part = parts_.emplace_back();
        part.path = join(parts.group, one);
        look_at(file, part);
    }
    if (!first_name_)
        throw Error(ErrorKind::input,
                    fmt::format("none of the {} parts of the series can be opened; {}", parts_.size(),
                                *parts_.front().fault),
                    name_.to_string());
    count_frames(file);
}

void PartedFrames::look_at(const h5::Handle& file, Part& part) {
    if (!identity_.empty()) identity_ += '\n';
    try {
        h5::open_dataset(file, name_.file.string(), part.path);
    } catch (const Error& error) {
        part.fault = error.message();
        identity_ += part.path + " is missing";
        return;
    }
    const std::shared_ptr<Hdf5Frames> source = open_.at(part.path);
    require_alike(*source);
    part.frames = source->frames();
    part.all_written = source->all_written();
    side_by_side_ = side_by_side_ && source->reads_side_by_side();
    packed_ = packed_ && source->packed() != nullptr;
    identity_ += source->identity();
    files_.add(source->files());
}

void PartedFrames::require_alike(const Hdf5Frames& part) {
    if (!first_name_) {
        first_name_ = part.name();
        height_ = part.height();
        width_ = part.width();
        type_ = part.type();
    }
    if (part.height() == height_ && part.width() == width_ && part.type() == type_) return;
    throw Error(
        ErrorKind::input,
        fmt::format("expected frames of {} x {} {} as in {}, found {} x {} {}", height_, width_,
                    ks::name_of(type_), *first_name_, part.height(), part.width(), ks::name_of(part.type())),
        part.name(), "name one part as FILE::/path");
}

void PartedFrames::count_frames(const h5::Handle& file) {
    // All parts but the last one are full.
    std::optional<std::size_t> full;
    for (std::size_t i = 0; i + 1 < parts_.size() && !full; ++i)
        if (!parts_[i].fault) full = parts_[i].frames;
    std::size_t done = 0;
    for (Part& part : parts_) {
        std::optional<std::size_t> frames = full;
        if (!part.fault) {
            frames = part.frames;
        } else if (&part == &parts_.back()) {
            const std::optional<std::size_t> all = frames_asked_for(file, name_.file.string());
            frames = all && *all > done && full && *all - done <= *full ? std::optional(*all - done)
                                                                        : std::nullopt;
        }
        if (!frames)
            throw Error(ErrorKind::input,
                        fmt::format("how many frames {} has is not known, and it cannot be opened: {}",
                                    part.path, *part.fault),
                        name_.to_string(), "name one of the other parts as FILE::/path");
        part.first = done;
        part.frames = *frames;
        done += *frames;
    }
}

const PartedFrames::Part& PartedFrames::part_of(std::size_t frame) const {
    const auto after = std::ranges::upper_bound(parts_, frame, {}, &Part::first);
    return *std::prev(after);
}

bool PartedFrames::written(std::size_t frame) const {
    if (frame >= frames()) return false;
    const Part& part = part_of(frame);
    return !part.fault && (part.all_written || open_.at(part.path)->written(frame - part.first));
}

std::optional<PackedFrames::Place> PartedFrames::find_packed(std::size_t frame) const {
    const Part& part = part_of(frame);
    if (part.fault) return std::nullopt;
    const std::shared_ptr<Hdf5Frames> source = open_.at(part.path);
    return source->packed() != nullptr ? source->packed()->find_packed(frame - part.first) : std::nullopt;
}

bool PartedFrames::read_packed(std::size_t frame, const Place& place, std::span<std::byte> into) const {
    const Part& part = part_of(frame);
    const std::shared_ptr<Hdf5Frames> source = open_.at(part.path);
    return source->packed() != nullptr && source->packed()->read_packed(frame - part.first, place, into);
}

void PartedFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    for (std::size_t done = 0; done < count;) {
        const Part& part = part_of(first + done);
        const std::size_t local = first + done - part.first,
                          now = std::min(count - done, part.frames - local);
        if (part.fault)
            throw Error(ErrorKind::input,
                        fmt::format("frame {} is in {}, which cannot be opened: {}", first + done, part.path,
                                    *part.fault),
                        name());
        try {
            open_.at(part.path)->read(local, now, into.subspan(done * frame_bytes(), now * frame_bytes()));
        } catch (const DamagedFrame& damaged) {
            throw DamagedFrame(part.first + damaged.frame(),
                               fmt::format("{}, in {}", damaged.why(), part.path), name());
        }
        done += now;
    }
}

}  // namespace ks::io
