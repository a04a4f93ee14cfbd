#include "core/io/hdf5/series/numbered_frames.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/data/damaged_frame.h"
#include "core/io/files/file_stamp.h"
#include "core/io/hdf5/nexus.h"

namespace ks::io {
namespace {

/// Whether all values are in the dataset's own file and were written.
bool lies_whole(hid_t dataset) {
    const h5::Handle properties(H5Dget_create_plist(dataset));
    H5D_space_status_t status = H5D_SPACE_STATUS_NOT_ALLOCATED;
    return H5Pget_layout(properties) != H5D_VIRTUAL && H5Pget_external_count(properties) == 0 &&
           H5Dget_space_status(dataset, &status) >= 0 && status == H5D_SPACE_STATUS_ALLOCATED;
}

}  // namespace

NumberedFrames::NumberedFrames(const h5::Handle& file, const DataName& name, NumberedDatasets datasets)
    : name_{name.file, datasets.group}, datasets_(std::move(datasets)), open_(file, name_) {
    const h5::Lock lock;
    const h5::Handle group = h5::open_object(file, name_.file.string(), datasets_.group);
    const std::shared_ptr<Hdf5Frames> first = open_.at(path_of(0));
    height_ = first->height();
    width_ = first->width();
    type_ = first->type();
    side_by_side_ = first->reads_side_by_side();
    files_.add(name_.file, h5::is_swmr(file));
    std::set<std::string> other_files;
    for (std::size_t frame = 0; frame < frames(); ++frame) {
        const std::string path = path_of(frame);
        h5::Handle dataset = child(group, datasets_.names[frame]);
        // Reports what it is, or where its link leads.
        if (!dataset.valid() || !h5::is_dataset(dataset))
            dataset = h5::open_dataset(file, name_.file.string(), path);
        require_alike(path, dataset);
        look_at(path, dataset);
        const std::string lies_in = h5::file_of(dataset);
        if (!lies_in.empty() && lies_in != name_.file.string() && other_files.insert(lies_in).second)
            files_.add(lies_in, h5::is_swmr(dataset));
    }
    identity_ = fmt::format("{}::{} {}", file_stamp(name_.file), path_of(0), frames());
    for (const std::string& other : other_files) identity_ += "\n" + file_stamp(other);
}

std::string NumberedFrames::path_of(std::size_t frame) const {
    return join(datasets_.group, datasets_.names[frame]);
}

void NumberedFrames::require_alike(const std::string& path, hid_t dataset) const {
    const std::string where = DataName{name_.file, path}.to_string();
    if (const auto why = why_not_frames(dataset)) throw Error(ErrorKind::input, *why, where);
    const h5::Handle type(H5Dget_type(dataset));
    const std::vector<std::size_t> shape = h5::shape_of(dataset);
    const ElementType found = frame_type(*h5::element_type(type));
    if (shape == std::vector{height_, width_} && found == type_) return;
    throw Error(ErrorKind::input,
                fmt::format("expected {} {} as in {}, found {} {}", h5::to_text({height_, width_}),
                            name_of(type_), path_of(0), h5::to_text(shape), name_of(found)),
                where, "name one frame as FILE::/path");
}

void NumberedFrames::look_at(const std::string& path, hid_t dataset) {
    if (lies_whole(dataset)) {
        written_.push_back(true);
        return;
    }
    const std::shared_ptr<Hdf5Frames> opened = open_.at(path);
    written_.push_back(opened->written(0));
    may_lack_pixels_ = may_lack_pixels_ || opened->may_lack_pixels();
    files_.add(opened->files());
}

PixelBlocks NumberedFrames::lacking(std::size_t frame) const {
    return may_lack_pixels_ ? open_.at(path_of(frame))->lacking(0) : PixelBlocks();
}

void NumberedFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::string path = path_of(first + i);
        try {
            open_.at(path)->read(0, 1, into.subspan(i * frame_bytes(), frame_bytes()));
        } catch (const DamagedFrame& damaged) {
            throw DamagedFrame(first + i, fmt::format("{}, in {}", damaged.why(), path), name());
        }
    }
}

}  // namespace ks::io
