#include "core/io/hdf5/parted_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/data/damaged_frame.h"
#include "core/io/files/followed_files.h"
#include "core/io/hdf5/nexus.h"

namespace ks::io {
PartedFrames::PartedFrames(const h5::Handle& file, const DataName& name, const SeriesParts& parts)
    : name_{name.file, parts.group}, open_(file, name_) {
    const h5::Lock lock;
    files_.add(name_.file, h5::is_swmr(file));
    for (const std::string& one : parts.names) {
        Part& part = parts_.emplace_back();
        part.path = join(parts.group, one);
        look_at(file, part);
    }
    if (!first_name_)
        throw Error(
            ErrorKind::input,
            fmt::format("none of the {} parts of the series can be opened; the error of the first: {}",
                        parts_.size(), *parts_.front().fault),
            name_.to_string());
    count_frames(parts);
}

void PartedFrames::look_at(const h5::Handle& file, Part& part) {
    if (!identity_.empty()) identity_ += '\n';
    try {
        h5::open_dataset(file, name_.file.string(), part.path);
    } catch (const NotFollowed&) {
        throw;  // it is not missing
    } catch (const Error& error) {
        part.fault = error.message();
        identity_ += part.path + " is missing";
        return;
    }
    const std::shared_ptr<Hdf5Frames> source = open_.at(part.path);
    require_alike(*source);
    part.frames = source->frames();
    part.all_written = source->all_written();
    may_lack_pixels_ = may_lack_pixels_ || source->may_lack_pixels();
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

void PartedFrames::count_frames(const SeriesParts& parts) {
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
            const std::optional<std::size_t> all = parts.asked_for;
            frames = all && *all > done && full && *all - done <= *full ? std::optional(*all - done)
                                                                        : std::nullopt;
        }
        if (!frames)
            throw Error(
                ErrorKind::input,
                fmt::format(
                    "the number of frames in {} is not known, because this object cannot be opened: {}",
                    part.path, *part.fault),
                name_.to_string(), "name one of the other parts as FILE::/path");
        part.frames = *frames;
        done += *frames;
    }
    if (parts.asked_for && *parts.asked_for != done) add_lost_parts(parts, *parts.asked_for, done, full);
    std::size_t first = 0;
    for (Part& part : parts_) {
        part.first = first;
        first += part.frames;
    }
}

/// Adds parts that the file does not link, before the first and after the last linked one.
/// @param asked frames that the detector was to record
/// @param linked number of frames in the linked parts
/// @param full frames in each part but the last
void PartedFrames::add_lost_parts(const SeriesParts& parts, std::size_t asked, std::size_t linked,
                                  std::optional<std::size_t> full) {
    const std::string says = fmt::format("nimages x ntrigger gives {} images", asked);
    const auto lost = [&](std::size_t number, std::size_t frames) {
        Part part;
        part.path = join(parts.group, parts.name_of(number));
        part.fault = fmt::format("{}, but the file contains no link to this part", says);
        part.frames = frames;
        identity_ += "\n" + part.path + " is not linked";
        return part;
    };
    const std::size_t before = parts.first_number > 0 ? parts.first_number - 1 : 0,
                      each = full.value_or(parts_.back().frames);
    if (before > 0 && asked > linked && before <= (asked - linked) / each) {
        std::vector<Part> all;
        for (std::size_t number = 1; number <= before; ++number) all.push_back(lost(number, each));
        std::ranges::move(parts_, std::back_inserter(all));
        parts_ = std::move(all);
        linked += before * each;
    }
    // An incomplete last part ends a series that was stopped.
    constexpr std::size_t most_lost = 1000;  // per existing frame
    const bool ended = !parts_.back().fault && full && parts_.back().frames < *full;
    if (asked > linked && !ended && (asked - linked) / most_lost <= linked) {
        parts_.push_back(lost(parts.first_number + parts.names.size(), asked - linked));
        linked = asked;
    }
    if (asked != linked)
        contradictions_.push_back(fmt::format("{}: {}, but the parts in {} contain {}", name_.file.string(),
                                              says, parts.group, linked));
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

PixelBlocks PartedFrames::lacking(std::size_t frame) const {
    if (!may_lack_pixels_ || !written(frame)) return {};
    const Part& part = part_of(frame);
    return open_.at(part.path)->lacking(frame - part.first);
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
