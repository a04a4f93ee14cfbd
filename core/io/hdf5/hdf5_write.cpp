#include "core/io/hdf5/hdf5_write.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_disk_file.h"

namespace ks::io::h5 {
namespace {

Handle string_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type, std::max<std::size_t>(size, 1));
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

Handle simple_space(const std::vector<hsize_t>& dims) {
    return Handle(dims.empty() ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
}

}  // namespace

Writer::Writer(const std::filesystem::path& file, std::string shown, const Progress* progress)
    : shown_(std::move(shown)),
      kept_name_(kept_name(shown_)),
      progress_(progress),
      disk_(std::make_shared<DiskState>()) {
    const Lock lock(kept_name_, "writing");
    file_ = Handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, disk_access(disk_)));
    require(file_.valid(), "/");
}

void Writer::check() const {
    if (progress_ != nullptr) progress_->check();
}

void Writer::require(bool done, const std::string& path) const {
    if (disk_->error != 0) throw not_written(shown_, disk_->error);
    if (!done) throw Error(ErrorKind::run, "writing failed: " + last_failure(), shown_ + "::" + path);
}

Handle Writer::open(const std::string& path) const {
    Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT));
    require(object.valid(), path);
    return object;
}

Handle Writer::create(const std::string& path, hid_t type, const Handle& space, const Handle& properties) {
    const Handle links(H5Pcreate(H5P_LINK_CREATE));
    H5Pset_create_intermediate_group(links, 1);
    Handle dataset(H5Dcreate2(file_, path.c_str(), type, space, links, properties, H5P_DEFAULT));
    require(dataset.valid(), path);
    return dataset;
}

void Writer::group(const std::string& path, const std::string& nx_class) {
    const Lock lock(kept_name_, "writing");
    const Handle links(H5Pcreate(H5P_LINK_CREATE));
    H5Pset_create_intermediate_group(links, 1);
    if (!Handle(H5Oopen(file_, path.c_str(), H5P_DEFAULT)).valid())
        require(Handle(H5Gcreate2(file_, path.c_str(), links, H5P_DEFAULT, H5P_DEFAULT)).valid(), path);
    if (!nx_class.empty()) attribute(path, "NX_class", nx_class);
}

void Writer::link(const std::string& path, const std::string& target) {
    const Lock lock(kept_name_, "writing");
    require(H5Lcreate_soft(target.c_str(), file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0, path);
}

void Writer::array(const std::string& path, const Array& values, const std::string& unit, bool compress) {
    const Lock lock(kept_name_, "writing");
    const std::vector<hsize_t> dims(values.shape().begin(), values.shape().end());
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
    if (compress && values.bytes().size() > 4096) {
        std::vector<hsize_t> chunk = dims;
        std::size_t bytes = values.bytes().size();
        for (std::size_t dim = 0; dim < chunk.size(); ++dim)
            while (bytes > (std::size_t{1} << 20) && chunk[dim] > 1) {
                bytes = bytes / chunk[dim] * ((chunk[dim] + 1) / 2);
                chunk[dim] = (chunk[dim] + 1) / 2;
            }
        H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
        ChunkEncoder(small_gzip, size_of(values.type())).set_filters(properties);
    }
    const hid_t type = memory_type(values.type());
    Handle dataset = create(path, type, simple_space(dims), properties);
    if (values.size() > 0 && dims.empty())
        require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.bytes().data()) >= 0, path);
    else if (values.size() > 0)
        write_rows(dataset, values, path);
    finish(std::move(dataset), path);
    if (!unit.empty()) attribute(path, "units", unit);
}

void Writer::finish(Handle dataset, const std::string& path) {
    const Lock lock(kept_name_, "writing");
    // Closing compresses and writes what is still in memory.
    const hid_t id = dataset;
    H5Iinc_ref(id);
    dataset = Handle();
    require(H5Dclose(id) >= 0, path);
}

void Writer::write_rows(const Handle& dataset, const Array& values, const std::string& path) {
    constexpr std::size_t piece = std::size_t{64} << 20;
    const std::vector<hsize_t> dims(values.shape().begin(), values.shape().end());
    const std::size_t row = values.bytes().size() / dims[0];
    const std::size_t at_once = std::max<std::size_t>(1, piece / row);
    const hid_t type = memory_type(values.type());
    const Handle space(H5Dget_space(dataset));
    std::vector<hsize_t> start(dims.size(), 0), block = dims;
    for (; start[0] < dims[0]; start[0] += block[0]) {
        check();
        block[0] = std::min<hsize_t>(at_once, dims[0] - start[0]);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
        require(H5Dwrite(dataset, type, simple_space(block), space, H5P_DEFAULT,
                         values.bytes().data() + start[0] * row) >= 0,
                path);
    }
}

void Writer::text(const std::string& path, const std::string& value) {
    const Lock lock(kept_name_, "writing");
    const Handle type = string_type(value.size());
    Handle dataset = create(path, type, simple_space({}), Handle(H5Pcreate(H5P_DATASET_CREATE)));
    const char* from = value.empty() ? "" : value.data();
    require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, from) >= 0, path);
    finish(std::move(dataset), path);
}

void Writer::texts(const std::string& path, const std::vector<std::string>& values) {
    const Lock lock(kept_name_, "writing");
    const Handle type = string_type(1);
    H5Tset_size(type, H5T_VARIABLE);
    Handle dataset = create(path, type, simple_space({values.size()}), Handle(H5Pcreate(H5P_DATASET_CREATE)));
    std::vector<const char*> from;
    from.reserve(values.size());
    for (const std::string& value : values) from.push_back(value.c_str());
    if (!from.empty())
        require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, from.data()) >= 0, path);
    finish(std::move(dataset), path);
}

void Writer::number(const std::string& path, double value, const std::string& unit) {
    array(path, Array::of<double>({}, std::vector<double>{value}), unit);
}

void Writer::string_attribute(const std::string& path, const std::string& name,
                              const std::vector<std::string>& values, bool scalar) {
    const Lock lock(kept_name_, "writing");
    std::size_t size = 1;
    for (const std::string& value : values) size = std::max(size, value.size());
    std::string bytes;
    for (const std::string& value : values) {
        bytes += value;
        bytes.append(size - value.size(), '\0');
    }
    const Handle type = string_type(size);
    const Handle object = open(path);
    const Handle space = simple_space(scalar ? std::vector<hsize_t>{} : std::vector<hsize_t>{values.size()});
    const Handle opened(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
    require(opened.valid() && H5Awrite(opened, type, bytes.data()) >= 0, path + "@" + name);
}

void Writer::attribute(const std::string& path, const std::string& name, const std::string& value) {
    string_attribute(path, name, {value}, true);
}

void Writer::attribute(const std::string& path, const std::string& name,
                       const std::vector<std::string>& values) {
    string_attribute(path, name, values, false);
}

void Writer::number_attribute(const std::string& path, const std::string& name, hid_t type,
                              const Handle& space, const void* values) {
    const Handle object = open(path);
    const Handle opened(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
    require(opened.valid() && H5Awrite(opened, type, values) >= 0, path + "@" + name);
}

void Writer::attribute(const std::string& path, const std::string& name, std::int64_t value) {
    const Lock lock(kept_name_, "writing");
    number_attribute(path, name, H5T_NATIVE_INT64, simple_space({}), &value);
}

void Writer::attribute(const std::string& path, const std::string& name, const std::vector<double>& values) {
    const Lock lock(kept_name_, "writing");
    number_attribute(path, name, H5T_NATIVE_DOUBLE, simple_space({values.size()}), values.data());
}

Writer::Stack Writer::stack(const std::string& path, ElementType type, std::size_t frames, std::size_t height,
                            std::size_t width, Compression compression, double absent) {
    const Lock lock(kept_name_, "writing");
    // LZ4 counts in int.
    if (height == 0 || width == 0 ||
        height > static_cast<std::size_t>(std::numeric_limits<int>::max()) / size_of(type) / width)
        throw Error(ErrorKind::input,
                    "a frame of " + std::to_string(height) + " x " + std::to_string(width) +
                        " pixels cannot be stored",
                    shown_ + "::" + path);
    const ChunkEncoder encoder(compression, size_of(type));
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
    const std::vector<hsize_t> chunk{1, height, width};
    H5Pset_chunk(properties, 3, chunk.data());
    encoder.set_filters(properties);
    if (absent != 0) H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &absent);
    return {create(path, memory_type(type), simple_space({frames, height, width}), properties), encoder,
            frames, height * width * size_of(type)};
}

void Writer::put(const Stack& stack, std::size_t first, std::span<const std::byte> values) {
    const std::size_t count = values.size() / stack.frame_bytes;
    if (values.size() % stack.frame_bytes != 0 || first > stack.frames || count > stack.frames - first)
        throw Error(ErrorKind::run, "a frame outside the stack was written", shown_);
    const std::size_t at_once = frames_at_once(stack.frame_bytes);
    std::vector<RawBytes> chunks(std::min(at_once, count));
    for (std::size_t begin = 0; begin < count; begin += at_once) {
        const std::size_t now = std::min(at_once, count - begin);
        parallel_for(now, compute_threads(), [&](std::size_t k) {
            check();
            chunks[k] =
                stack.encoder.encode(values.subspan((begin + k) * stack.frame_bytes, stack.frame_bytes));
        });
        const Lock lock(kept_name_, "writing");
        for (std::size_t k = 0; k < now; ++k) {
            const hsize_t start[3] = {first + begin + k, 0, 0};
            require(
                H5Dwrite_chunk(stack.dataset, H5P_DEFAULT, 0, start, chunks[k].size(), chunks[k].data()) >= 0,
                "frame " + std::to_string(first + begin + k));
        }
    }
}

std::size_t Writer::frames_at_once(std::size_t frame_bytes) {
    constexpr std::size_t most_bytes = std::size_t{1} << 28;
    return std::clamp<std::size_t>(most_bytes / frame_bytes, 1, compute_threads());
}

void Writer::close() {
    const Lock lock(kept_name_, "writing");
    require(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "/");
    const hid_t id = file_;
    H5Iinc_ref(id);
    file_ = Handle();
    require(H5Fclose(id) >= 0, "/");
    if (!disk_->closed) throw Error(ErrorKind::run, "a dataset of the file is still open", shown_);
}

}  // namespace ks::io::h5
