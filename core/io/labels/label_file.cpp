#include "core/io/labels/label_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_columns.h"
#include "core/io/labels/label_hdf5.h"
#include "core/io/npy/npy.h"
#include "core/io/tiff/tiff.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

enum class Kind { hdf5, npy, tiff };

Kind kind_of(const fs::path& file) {
    const std::string suffix = suffix_of(file);
    if (has_hdf5_suffix(file)) return Kind::hdf5;
    if (suffix == ".npy") return Kind::npy;
    if (suffix == ".tif" || suffix == ".tiff") return Kind::tiff;
    throw Error(ErrorKind::input,
                "expected a file that ends in .h5, .hdf5, .nxs, .npy, .tif or .tiff, found " +
                    (suffix.empty() ? "no ending" : "\"" + suffix + "\""),
                file.string());
}

/// A path in a file stands for HDF5, whatever the file's name ends in; so does what the file holds.
Kind kind_to_read(const DataName& data) {
    const std::string suffix = suffix_of(data.file);
    const bool plain = suffix == ".npy" || suffix == ".tif" || suffix == ".tiff";
    std::error_code ignored;
    if (!plain && (means_hdf5(data) || !fs::exists(data.file, ignored))) return Kind::hdf5;
    return kind_of(data.file);
}

Array read_plain(const DataName& name, Kind kind, const ShapeCheck& fits) {
    if (!name.object.empty())
        throw Error(ErrorKind::input, "the file holds one image, which has no path in it", name.to_string(),
                    "leave " + name.object + " and the colons out");
    return kind == Kind::npy ? read_npy(name.file, fits) : read_tiff(name.file, fits);
}

void require_pixels(std::size_t height, std::size_t width, const std::string& name) {
    if (height == 0 || width == 0)
        throw Error(ErrorKind::input, fmt::format("expected an image, found {} x {} pixels", height, width),
                    name);
}

/// The labels in the smallest unsigned type that holds them all.
Array smallest(const QPartition& partition) {
    const auto as = [&partition](auto zero) {
        using T = decltype(zero);
        Array array(element_type_of<T>(), {partition.height(), partition.width()});
        std::ranges::transform(partition.labels(), array.as<T>().begin(),
                               [](std::int32_t label) { return static_cast<T>(label); });
        return array;
    };
    if (partition.bins() <= 0xff) return as(std::uint8_t{});
    if (partition.bins() <= 0xffff) return as(std::uint16_t{});
    return as(std::uint32_t{});
}

void require_lists(const LabelFile& labels, const fs::path& file) {
    const std::size_t bins = labels.labels.bins();
    for (const std::size_t length : {labels.q.size(), labels.phi.size(), labels.names.size()})
        if (length != 0 && length != bins)
            throw Error(
                ErrorKind::input,
                fmt::format("expected {} values of q, phi and names, one a bin, found {}", bins, length),
                file.string());
}

}  // namespace

std::optional<Array> read_plain_image(const DataName& name, const ShapeCheck& fits) {
    const Kind kind = kind_to_read(name);
    if (kind == Kind::hdf5) return std::nullopt;
    Array image = read_plain(name, kind, fits);
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
    const Kind kind = kind_of(file);
    const QPartition& bins = labels.labels;
    require_pixels(bins.height(), bins.width(), file.string());
    require_lists(labels, file);
    AtomicFile atomic(file, overwrite);
    if (kind == Kind::hdf5) write_hdf5_labels(atomic.temporary(), labels, file.string());
    if (kind == Kind::npy)
        write_npy(atomic, Array::of<std::int32_t>({bins.height(), bins.width()}, bins.labels()));
    if (kind == Kind::tiff) write_tiff(atomic, smallest(bins));
    atomic.commit();
}

PixelMask read_mask(const std::string& name, const ShapeCheck& fits) {
    const DataName data = DataName::parse(name);
    const std::optional<Array> plain = read_plain_image(data, fits);
    const Array values = plain ? *plain : read_hdf5_mask(data, fits);
    require_pixels(values.shape()[0], values.shape()[1], name);
    PixelMask mask{values.shape()[0], values.shape()[1], std::vector<std::uint8_t>(values.size())};
    visit_element(values.type(), [&](auto zero) {
        std::ranges::transform(values.as<decltype(zero)>(), mask.ignore.begin(), [zero](auto value) {
            return static_cast<std::uint8_t>(value == zero ? 0 : 1);
        });
    });
    return mask;
}

void write_mask(const fs::path& file, const PixelMask& mask, bool overwrite) {
    const Kind kind = kind_of(file);
    require_pixels(mask.height, mask.width, file.string());
    if (mask.ignore.size() != mask.height * mask.width)
        throw Error(
            ErrorKind::input,
            fmt::format("expected {} x {} pixels, found {}", mask.height, mask.width, mask.ignore.size()),
            file.string());
    const Array values = Array::of<std::uint8_t>({mask.height, mask.width}, mask.ignore);
    AtomicFile atomic(file, overwrite);
    if (kind == Kind::hdf5) write_hdf5_mask(atomic.temporary(), values, file.string());
    if (kind == Kind::npy) write_npy(atomic, values);
    if (kind == Kind::tiff) write_tiff(atomic, values);
    atomic.commit();
}

}  // namespace ks::io
