#include "core/io/hdf5/hdf5_read.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/printable.h"
#include "core/io/hdf5/hdf5_frames.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/hdf5/parted_frames.h"
#include "core/io/hdf5/series/numbered_frames.h"

namespace ks::io {

namespace {

struct Opened {
    std::shared_ptr<FrameSource> frames;
    bool needs_swmr;  ///< they must not be read in the mode they were opened in
};

Opened open_as(DataName data, h5::Reading reading) {
    const h5::Handle file = h5::open_file(data.file, reading);
    if (data.object.empty()) data.object.assign(1, '/');
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
        frames->contradict(fmt::format("{}: nimages x ntrigger gives {} images, but {} contains {}",
                                       data.file.string(), *asked, data.object, frames->frames()));
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
        throw Error(
            ErrorKind::input,
            fmt::format("expected {} dimensions, found {} {}", rank, shape.size(), h5::to_text(shape)),
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
