#include "core/io/labels/label_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/host_memory.h"
#include "core/data/count_text.h"
#include "core/io/files/atomic_file.h"
#include "core/io/frame_format.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/hdf5_read.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/labels/list_at.h"
#include "core/io/labels/qmap.h"
#include "core/io/open_frames.h"

namespace ks::io {
namespace {

const std::string partition_group = "/entry/partition";
const std::string labels_path = partition_group + "/labels";
const std::string mask_path = "/entry/mask";

using h5::exists;

/// The name of a list stored next to the labels.
DataName beside(const DataName& labels, const char* name) {
    return {labels.file, labels.object.substr(0, labels.object.rfind('/') + 1) + name};
}

void require_length(std::size_t found, std::size_t bins, const char* name, const DataName& labels) {
    if (found != 0 && found != bins)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} values of {}, one per bin, found {}", bins, name, found),
                    labels.to_string());
}

/// The number of bins stated by the attribute; 0 if there is none.
std::size_t bins_attribute(const h5::Handle& file, const DataName& labels) {
    const h5::Handle dataset = h5::open_dataset(file, labels.file.string(), labels.object);
    const auto text = h5::attribute(dataset, "bins");
    if (!text) return 0;
    const bool digits = text->size() < 10 && !text->empty() &&
                        std::ranges::all_of(*text, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits)
        throw Error(ErrorKind::input, "expected a number of bins in the attribute \"bins\", found " + *text,
                    labels.to_string());
    return std::stoul(*text);
}

void require_known_form(const h5::Handle& file, const DataName& object, const Format& format) {
    const h5::Handle opened = h5::open_object(file, object.file.string(), object.object);
    require_known(format, h5::attribute(opened, format_key), object.to_string());
}

/// Where the labels are: a group stands for the labels in it.
DataName find_labels(const h5::Handle& file, DataName name) {
    if (name.object.empty() && exists(file, labels_path)) name.object = labels_path;
    if (const std::optional<QMapPlaces> map = qmap_in(file, name)) name.object = map->labels;
    if (name.object.empty()) return name;
    const h5::Handle object = h5::open_object(file, name.file.string(), name.object);
    if (h5::is_group(object)) name.object += name.object.ends_with('/') ? "labels" : "/labels";
    return name;
}

/// Static labels of the same frames as the labels.
std::vector<std::int32_t> read_static(const QPartition& labels, const DataName& name,
                                      const ShapeCheck& fits) {
    const QPartition statics =
        QPartition::from_array(read_array(name.to_string(), 2, fits), name.to_string());
    if (statics.height() != labels.height() || statics.width() != labels.width())
        throw Error(
            ErrorKind::input,
            fmt::format(
                "expected static labels of the same size as the labels, {} x {} pixels, found {} x {}",
                labels.height(), labels.width(), statics.height(), statics.width()),
            name.to_string());
    return statics.labels();
}

// Partitions and masks in HDF5; label_file.h describes their place in the file. The number of bins is the
// attribute `bins` of the labels, else the length of q_list, phi_list or names, else the highest label.

/// Only the labels, [y][x].
Array read_hdf5_label_image(const DataName& name, const ShapeCheck& fits) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(name.file);
    return read_array(find_labels(file, name).to_string(), 2, fits);
}

/// Bins of APS 8-ID.
LabelFile read_qmap(const h5::Handle& file, const DataName& name, const QMapPlaces& map,
                    const ShapeCheck& fits) {
    QPartition labels = QPartition::from_array(read_array(name.to_string(), 2, fits), name.to_string());
    QMapValues values = qmap_values(file, name, map, labels.bins());
    LabelFile found{std::move(labels), std::move(values.q), std::move(values.phi)};
    if (exists(file, map.static_labels))
        found.static_labels = read_static(found.labels, {name.file, map.static_labels}, fits);
    return found;
}

LabelFile read_hdf5_labels(const DataName& given, const ShapeCheck& fits) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(given.file);
    const DataName name = find_labels(file, given);
    if (const std::optional<QMapPlaces> map = qmap_in(file, name)) return read_qmap(file, name, *map, fits);
    if (name.object == labels_path) require_known_form(file, {name.file, partition_group}, formats::labels);
    const Array values = read_array(name.to_string(), 2, fits);
    QPartition labels = QPartition::from_array(values, name.to_string());
    // Any other image of labels may have unrelated datasets next to it.
    if (!name.object.ends_with("/labels")) return {std::move(labels), {}, {}, {}};
    constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
    const auto numbers = [](const h5::Handle& dataset) { return h5::numbers(dataset, any); };
    const auto texts = [](const h5::Handle& dataset) { return h5::strings(dataset); };
    auto q = list_at<double>(file, beside(name, "q_list"), "numbers", numbers);
    auto phi = list_at<double>(file, beside(name, "phi_list"), "numbers", numbers);
    auto names = list_at<std::string>(file, beside(name, "names"), "texts", texts);
    std::size_t bins = bins_attribute(file, name);
    for (const std::size_t length : {q.size(), phi.size(), names.size()})
        if (bins == 0) bins = length;
    if (bins == 0) bins = labels.bins();
    require_length(q.size(), bins, "q_list", name);
    require_length(phi.size(), bins, "phi_list", name);
    require_length(names.size(), bins, "names", name);
    if (bins != labels.bins())
        labels = QPartition(labels.height(), labels.width(), labels.labels(), bins, name.to_string());
    LabelFile found{std::move(labels), std::move(q), std::move(phi), std::move(names)};
    const std::string group = name.object.substr(0, name.object.rfind('/') + 1);
    if (!exists(file, group + "static_labels")) return found;
    found.static_labels = read_static(found.labels, {name.file, group + "static_labels"}, fits);
    for (const double bin : list_at<double>(file, beside(name, "dynamic_of_static"), "numbers", numbers))
        found.dynamic_of.push_back(static_cast<std::int32_t>(bin));
    return found;
}

/// An image, or one with the shape [1][y][x].
Array read_image(const std::string& name, const ShapeCheck& fits) {
    const DataName data = DataName::parse(name);
    if (data.object.empty()) return read_array(name, 2, fits);
    const h5::Handle file = h5::open_file(data.file);
    const h5::Handle dataset = h5::open_dataset(file, data.file.string(), data.object);
    if (h5::shape_of(dataset).size() != 3) return read_array(name, 2, fits);
    const auto of_one = [&](const std::vector<std::size_t>& shape) {
        if (shape[0] == 1) {
            if (fits) fits({shape[1], shape[2]});
            return;
        }
        if (fits) fits(shape);
        throw Error(ErrorKind::input,
                    fmt::format("expected one image, [y, x], found one per frame, {}", h5::to_text(shape)),
                    name);
    };
    const Array stack = read_array(name, 3, of_one);
    Array image = Array::undefined(stack.type(), {stack.shape()[1], stack.shape()[2]});
    std::ranges::copy(stack.bytes(), image.bytes().begin());
    return image;
}

Array read_hdf5_mask(const DataName& given, const ShapeCheck& fits) {
    const h5::Lock lock;
    DataName name = given;
    const h5::Handle file = h5::open_file(name.file);
    if (name.object.empty() && exists(file, mask_path)) name.object = mask_path;
    if (name.object.empty())
        if (const auto masks = read_hdf5_pixels(name).masks; masks.size() == 1)
            return read_image(masks.front(), fits);
    if (name.object == mask_path && exists(file, mask_path)) require_known_form(file, name, formats::mask);
    return read_image(name.to_string(), fits);
}

/// @param shown the name in messages. These throw ks::Error(run).
void write_hdf5_labels(const std::filesystem::path& file, const LabelFile& labels, const std::string& shown) {
    const h5::Lock lock;
    h5::Writer writer(file, shown);
    writer.group("/entry", "NXentry");
    writer.group(partition_group, "NXcollection");
    writer.attribute(partition_group, format_key, formats::labels.version);
    const QPartition& bins = labels.labels;
    writer.array(labels_path, Array::of<std::int32_t>({bins.height(), bins.width()}, bins.labels()), {},
                 true);
    writer.attribute(labels_path, "bins", static_cast<std::int64_t>(bins.bins()));
    if (!labels.q.empty())
        writer.array(partition_group + "/q_list", Array::of<double>({labels.q.size()}, labels.q),
                     "1/angstrom");
    if (!labels.phi.empty())
        writer.array(partition_group + "/phi_list", Array::of<double>({labels.phi.size()}, labels.phi),
                     "degrees");
    if (!labels.names.empty()) writer.texts(partition_group + "/names", labels.names);
    if (!labels.static_labels.empty()) {
        writer.array(partition_group + "/static_labels",
                     Array::of<std::int32_t>({bins.height(), bins.width()}, labels.static_labels), {}, true);
        if (!labels.dynamic_of.empty())
            writer.array(partition_group + "/dynamic_of_static",
                         Array::of<std::int32_t>({labels.dynamic_of.size()}, labels.dynamic_of));
    }
    writer.close();
}

void write_hdf5_mask(const std::filesystem::path& file, const Array& mask, const std::string& shown) {
    const h5::Lock lock;
    h5::Writer writer(file, shown);
    writer.group("/entry", "NXentry");
    writer.array(mask_path, mask, {}, true);
    writer.attribute(mask_path, format_key, formats::mask.version);
    writer.close();
}

}  // namespace

namespace fs = std::filesystem;
namespace {

void require_pixels(std::size_t height, std::size_t width, const std::string& name) {
    if (height == 0 || width == 0)
        throw Error(ErrorKind::input, fmt::format("expected an image, found {} x {} pixels", height, width),
                    name);
}

void require_lists(const LabelFile& labels, const fs::path& file) {
    const std::size_t bins = labels.labels.bins();
    for (const std::size_t length : {labels.q.size(), labels.phi.size(), labels.names.size()})
        if (length != 0 && length != bins)
            throw Error(ErrorKind::input,
                        fmt::format("expected {} each of q, phi and names, one per bin, found {}",
                                    count_text(bins, "value"), length),
                        file.string());
}

/// The image in a file of a format that only reads frames.
Array only_frame(FrameSource& frames, const ShapeCheck& fits) {
    if (frames.frames() != 1)
        throw Error(ErrorKind::input,
                    fmt::format("expected a single image, found {} frames", frames.frames()), frames.name());
    const std::vector<std::size_t> shape{frames.height(), frames.width()};
    if (fits) fits(shape);
    require_memory(frames.frame_bytes(), "an image", frames.name());
    Array image(frames.type(), shape);
    frames.read(0, 1, image.bytes());
    return image;
}

}  // namespace

std::optional<Array> read_plain_image(const DataName& name, const ShapeCheck& fits) {
    const FrameFormat& format = format_to_read(name);
    if (format.objects) return std::nullopt;
    Array image =
        format.read_image ? format.read_image(name.file, fits) : only_frame(*format.open(name), fits);
    require_pixels(image.shape()[0], image.shape()[1], name.to_string());
    return image;
}

QPartition read_label_image(const std::string& name, const ShapeCheck& fits) {
    const DataName data = DataName::parse(name);
    const std::optional<Array> plain = read_plain_image(data, fits);
    return QPartition::from_array(plain ? *plain : read_hdf5_label_image(data, fits), name);
}

LabelFile read_labels(const std::string& name, const ShapeCheck& fits) {
    const DataName data = DataName::parse(name);
    const std::optional<Array> plain = read_plain_image(data, fits);
    LabelFile labels =
        plain ? LabelFile{QPartition::from_array(*plain, name), {}, {}, {}} : read_hdf5_labels(data, fits);
    require_pixels(labels.labels.height(), labels.labels.width(), name);
    return labels;
}

void write_labels(const fs::path& file, const LabelFile& labels, bool overwrite) {
    const FrameFormat& format = format_to_write(file);
    const QPartition& bins = labels.labels;
    require_pixels(bins.height(), bins.width(), file.string());
    require_lists(labels, file);
    AtomicFile atomic(file, overwrite);
    if (format.objects)
        write_hdf5_labels(atomic.temporary(), labels, file.string());
    else
        format.write_image(atomic, Array::of<std::int32_t>({bins.height(), bins.width()}, bins.labels()));
    atomic.commit();
}

Array read_mask_image(const std::string& name, const ShapeCheck& fits) {
    const DataName data = DataName::parse(name);
    const std::optional<Array> plain = read_plain_image(data, fits);
    return plain ? *plain : read_hdf5_mask(data, fits);
}

PixelMask mask_of(const Array& image, const std::string& name) {
    require_pixels(image.shape()[0], image.shape()[1], name);
    PixelMask mask{image.shape()[0], image.shape()[1], std::vector<std::uint8_t>(image.size())};
    visit_element(image.type(), [&](auto zero) {
        std::ranges::transform(image.as<decltype(zero)>(), mask.ignore.begin(), [zero](auto value) {
            return static_cast<std::uint8_t>(value == zero ? 0 : 1);
        });
    });
    return mask;
}

PixelMask read_mask(const std::string& name, const ShapeCheck& fits) {
    return mask_of(read_mask_image(name, fits), name);
}

void write_mask(const fs::path& file, const PixelMask& mask, bool overwrite) {
    const FrameFormat& format = format_to_write(file);
    require_pixels(mask.height, mask.width, file.string());
    if (mask.ignore.size() != mask.height * mask.width)
        throw Error(
            ErrorKind::input,
            fmt::format("expected {} x {} pixels, found {}", mask.height, mask.width, mask.ignore.size()),
            file.string());
    const Array values = Array::of<std::uint8_t>({mask.height, mask.width}, mask.ignore);
    AtomicFile atomic(file, overwrite);
    if (format.objects)
        write_hdf5_mask(atomic.temporary(), values, file.string());
    else
        format.write_image(atomic, values);
    atomic.commit();
}

}  // namespace ks::io
