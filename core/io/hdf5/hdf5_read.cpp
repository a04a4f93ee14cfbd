#include "core/io/hdf5/hdf5_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/printable.h"
#include "core/data/count_text.h"
#include "core/data/damaged_frame.h"
#include "core/data/frame_source.h"
#include "core/io/files/data_name.h"
#include "core/io/files/followed_files.h"
#include "core/io/hdf5/hdf5_frames.h"
#include "core/io/hdf5/named/named_files.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/hdf5/saved/run_in_file.h"
#include "core/io/hdf5/series/numbered_frames.h"
#include "core/io/hdf5/series/open_datasets.h"
#include "core/io/hdf5/series_parts.h"
#include "core/io/series/file_states.h"

namespace ks::io {
namespace {

/// The file that a broken external link names, whether it exists or not; nothing for other links.
std::optional<std::filesystem::path> file_behind(const h5::Handle& file, const DataName& group,
                                                 const std::string& name) {
    const std::optional<h5::LinkTarget> target =
        h5::target_of(h5::open_object(file, group.file.string(), group.object), name);
    if (!target || !target->file) return std::nullopt;
    if (auto found = file_named(NameKind::external_link, *target->file, group.file)) return found;
    std::error_code ignored;
    return std::filesystem::absolute(group.file, ignored).parent_path() / *target->file;
}

/// Frames of a series in parts. A part that cannot be opened is assumed to be as long as the others, the last
/// one as long as detectorSpecific/nimages requires; its frames are not written(), and read() says why. The
/// same holds for parts that the file does not link although nimages states that there are more frames.
class PartedFrames : public FrameSource, public FromFiles, private PackedFrames {
  public:
    /// @param name the file, whatever the object. Throws ks::Error(input) if no part can be opened, if parts
    /// differ in size or type, or if a length is not known.
    PartedFrames(const h5::Handle& file, const DataName& name, const SeriesParts& parts)
        : name_{name.file, parts.group}, open_(file, name_) {
        const h5::Lock lock;
        files_.add(name_.file, h5::is_swmr(file));
        for (const std::string& one : parts.names) {
            Part& part = parts_.emplace_back();
            part.path = join(parts.group, one);
            look_at(file, part, one);
        }
        if (!first_name_)
            throw Error(
                ErrorKind::input,
                fmt::format("none of the {} parts of the series can be opened; the error of the first: {}",
                            parts_.size(), *parts_.front().fault),
                name_.to_string());
        count_frames(parts);
    }

    std::string name() const override { return name_.to_string(); }
    std::string identity() const override { return identity_; }
    const FileStates& files() const override { return files_; }
    std::size_t frames() const override { return parts_.back().first + parts_.back().frames; }
    std::size_t height() const override { return height_; }
    std::size_t width() const override { return width_; }
    ElementType type() const override { return type_; }
    bool reads_side_by_side() const override { return side_by_side_; }
    const PackedFrames* packed() const override { return packed_ ? this : nullptr; }
    bool written(std::size_t frame) const override {
        if (frame >= frames()) return false;
        const Part& part = part_of(frame);
        return !part.fault && (part.all_written || open_.at(part.path)->written(frame - part.first));
    }
    std::optional<double> frame_time() const override { return open_.frame_time().seconds; }
    std::optional<std::string> frame_time_fault() const override { return open_.frame_time().fault; }
    std::vector<std::string> contradictions() const override { return contradictions_; }
    PixelBlocks lacking(std::size_t frame) const override {
        if (!may_lack_pixels_ || !written(frame)) return {};
        const Part& part = part_of(frame);
        return open_.at(part.path)->lacking(frame - part.first);
    }
    bool may_lack_pixels() const override { return may_lack_pixels_; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        for (std::size_t done = 0; done < count;) {
            const Part& part = part_of(first + done);
            const std::size_t local = first + done - part.first,
                              now = std::min(count - done, part.frames - local);
            if (part.fault)
                throw Error(ErrorKind::input,
                            fmt::format("frame {} is in {}, which cannot be opened: {}", first + done,
                                        part.path, *part.fault),
                            name());
            try {
                open_.at(part.path)->read(local, now,
                                          into.subspan(done * frame_bytes(), now * frame_bytes()));
            } catch (const DamagedFrame& damaged) {
                throw DamagedFrame(part.first + damaged.frame(),
                                   fmt::format("{}, in {}", damaged.why(), part.path), name());
            }
            done += now;
        }
    }
    struct Part {
        std::string path;
        std::optional<std::string> fault;  ///< why it cannot be opened
        std::size_t first = 0, frames = 0;
        bool all_written = false;
    };
    /// @param name of the part's link in the group
    void look_at(const h5::Handle& file, Part& part, const std::string& name) {
        if (!identity_.empty()) identity_ += '\n';
        try {
            h5::open_dataset(file, name_.file.string(), part.path);
        } catch (const NotFollowed&) {
            throw;  // it is not missing
        } catch (const Error& error) {
            part.fault = error.message();
            identity_ += part.path + " is missing";
            if (const auto behind = file_behind(file, name_, name)) files_.add_unusable(*behind);
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
    void require_alike(const Hdf5Frames& part) {
        if (!first_name_) {
            first_name_ = part.name();
            height_ = part.height();
            width_ = part.width();
            type_ = part.type();
        }
        if (part.height() == height_ && part.width() == width_ && part.type() == type_) return;
        throw Error(ErrorKind::input,
                    fmt::format("expected frames of {} x {} {} as in {}, found {} x {} {}", height_, width_,
                                ks::name_of(type_), *first_name_, part.height(), part.width(),
                                ks::name_of(part.type())),
                    part.name(), "name one part as FILE::/path");
    }
    void count_frames(const SeriesParts& parts) {
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
                throw Error(ErrorKind::input,
                            fmt::format("{} cannot be opened, so its number of frames is not known: {}",
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
    void add_lost_parts(const SeriesParts& parts, std::size_t asked, std::size_t linked,
                        std::optional<std::size_t> full) {
        const std::string says = fmt::format("nimages x ntrigger gives {}", count_text(asked, "image"));
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
            contradictions_.push_back(fmt::format("{}: {}, but the parts in {} contain {}",
                                                  name_.file.string(), says, parts.group, linked));
    }
    const Part& part_of(std::size_t frame) const {
        const auto after = std::ranges::upper_bound(parts_, frame, {}, &Part::first);
        return *std::prev(after);
    }
    std::optional<Place> find_packed(std::size_t frame) const override {
        const Part& part = part_of(frame);
        if (part.fault) return std::nullopt;
        const std::shared_ptr<Hdf5Frames> source = open_.at(part.path);
        return source->packed() != nullptr ? source->packed()->find_packed(frame - part.first) : std::nullopt;
    }
    bool read_packed(std::size_t frame, const Place& place, std::span<std::byte> into) const override {
        const Part& part = part_of(frame);
        const std::shared_ptr<Hdf5Frames> source = open_.at(part.path);
        return source->packed() != nullptr && source->packed()->read_packed(frame - part.first, place, into);
    }

    DataName name_;
    OpenDatasets open_;
    std::vector<Part> parts_;
    std::optional<std::string> first_name_;  ///< of the first part that can be opened
    std::size_t height_ = 0, width_ = 0;
    ElementType type_ = ElementType::u8;
    bool side_by_side_ = true, packed_ = true, may_lack_pixels_ = false;
    std::vector<std::string> contradictions_;
    std::string identity_;
    FileStates files_;
};

struct Opened {
    std::shared_ptr<FrameSource> frames;
    bool needs_swmr;  ///< they must not be read in the mode they were opened in
};

Opened open_as(DataName data, h5::Reading reading) {
    const h5::Handle file = h5::open_file(data.file, reading);
    if (data.object.empty()) {
        require_no_run(file, data.file.string());
        data.object.assign(1, '/');
    }
    const std::string path = h5::ScanName::of(file, data.object).path;
    const h5::Handle object = h5::open_object(file, data.file.string(), path);
    if (h5::is_group(object)) {
        const auto parts = series_parts(file, data.file.string(), path);
        if (parts && parts->names.size() > 1)
            return {std::make_shared<PartedFrames>(file, data, *parts), false};
        DefaultFrames found = default_frames(file, data.file.string(), data.object);
        if (auto* numbered = std::get_if<NumberedDatasets>(&found))
            return {std::make_shared<NumberedFrames>(file, data, std::move(*numbered)), false};
        data.object = std::get<std::string>(found);
        const auto frames = std::make_shared<Hdf5Frames>(file, data);
        const auto asked = frames_asked_for(file, data.file.string());
        if (!asked || *asked == frames->frames() || frames->needs_swmr())
            return {frames, frames->needs_swmr()};
        // The only remaining part of a series.
        if (parts && *asked > frames->frames() && data.object == join(parts->group, parts->names.front()))
            return {std::make_shared<PartedFrames>(file, data, *parts), false};
        frames->contradict(fmt::format("{}: nimages x ntrigger gives {}, but {} contains {}",
                                       data.file.string(), count_text(*asked, "image"), data.object,
                                       frames->frames()));
        return {frames, false};
    }
    const auto frames = std::make_shared<Hdf5Frames>(file, data);
    return {frames, frames->needs_swmr()};
}

}  // namespace

std::shared_ptr<FrameSource> open_hdf5_frames(const DataName& data) {
    const h5::Lock lock;
    Opened opened = open_as(data, h5::Reading::ordinary);
    if (!opened.needs_swmr) return opened.frames;
    opened.frames.reset();  // a file can only be open in one of the two modes
    opened = open_as(data, h5::Reading::swmr);
    if (opened.needs_swmr) throw still_written(opened.frames->name());
    return opened.frames;
}

Array read_array(const std::string& name, std::size_t rank, const ShapeCheck& fits) {
    DataName data = DataName::parse(name);
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(data.file);
    if (data.object.empty()) {
        const std::vector<std::string> found = numeric_datasets(file, "/", rank);
        if (found.size() != 1)
            throw Error(ErrorKind::input,
                        found.empty() ? fmt::format("found no numeric dataset of {} dimensions", rank)
                                      : fmt::format("found {} datasets of {} dimensions: {}", found.size(),
                                                    rank, listed(found)),
                        data.file.string(), "name one as FILE::/path");
        data.object = found.front();
    }
    const h5::Handle dataset = h5::open_dataset(file, data.file.string(), data.object);
    const Storage storage(file, data.file.string(), data.object, dataset);
    if (storage.needs_swmr()) throw still_written(data.to_string());
    const h5::Handle type(H5Dget_type(dataset));
    const std::optional<ElementType> element = h5::element_type(type);
    if (!element)
        throw Error(ErrorKind::input, "expected numbers, found values of type " + h5::type_name(type),
                    data.to_string());
    const std::vector<std::size_t> shape = h5::shape_of(dataset);
    if (shape.size() != rank)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} {}, found {} {}", rank, rank == 1 ? "dimension" : "dimensions",
                                shape.size(), h5::to_text(shape)),
                    data.to_string());
    if (fits) fits(shape);
    const bool empty = std::ranges::find(shape, std::size_t{0}) != shape.end();
    if (!empty) storage.require_whole();
    require_memory(array_bytes(size_of(*element), shape), "the values " + h5::to_text(shape),
                   data.to_string());
    Array array = Array::undefined(*element, shape);
    if (empty) return array;
    if (rank == 2 || rank == 3) {
        const auto chunks = h5::ChunkReader::of(dataset, *h5::StackAxes::of(shape, std::nullopt));
        if (chunks && chunks->read(0, rank == 3 ? shape[0] : 1, array.bytes())) return array;
    }
    if (H5Dread(dataset, h5::memory_type(*element), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes().data()) <
        0) {
        const std::string why = h5::last_failure();
        require_filters(dataset, data.to_string(), true);
        throw Error(ErrorKind::input, "the values cannot be read: " + why, data.to_string());
    }
    return array;
}

}  // namespace ks::io
