#include "core/io/labels/label_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/io/files/atomic_file.h"
#include "core/io/frame_format.h"
#include "core/io/labels/label_hdf5.h"

namespace ks::io {
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
            throw Error(
                ErrorKind::input,
                fmt::format("expected {} values of q, phi and names, one per bin, found {}", bins, length),
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
