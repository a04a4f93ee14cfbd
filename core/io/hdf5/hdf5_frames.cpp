#include "core/io/hdf5/hdf5_frames.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/io/hdf5/nexus.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr const char* frame_types = "u8, u16, u32, u64, i16, i32, i64, f32 or f64";

/// Path, size and time of modification of a file.
std::string stamp(const fs::path& file) {
    struct stat info = {};
    std::error_code ignored;
    const fs::path canonical = fs::weakly_canonical(file, ignored);
    if (::stat(file.c_str(), &info) != 0) return canonical.string();
    return fmt::format("{}|{}|{}.{:09}", canonical.string(), info.st_size, info.st_mtim.tv_sec,
                       info.st_mtim.tv_nsec);
}

/// An open file descriptor.
class Descriptor {
  public:
    explicit Descriptor(const fs::path& file) : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

  private:
    int number_;
};

}  // namespace

ElementType frame_type(ElementType stored) {
    if (stored == ElementType::u64) return ElementType::u32;
    return stored == ElementType::f64 ? ElementType::f32 : stored;
}

std::optional<std::string> why_not_frames(hid_t dataset) {
    const h5::Lock lock;
    const h5::Handle type(H5Dget_type(dataset));
    const std::string found = h5::type_name(type);
    const std::optional<ElementType> element = h5::element_type(type);
    if (!element || found == "enum")
        return fmt::format("expected pixels of type {}, found {}{}", frame_types, found,
                           found == "string" ? "s" : "");
    const std::vector<std::size_t> shape = h5::shape_of(dataset);
    if (shape.size() != 2 && shape.size() != 3)
        return fmt::format("expected [frame, y, x] or one frame [y, x], found {} dimension{} {}",
                           shape.size(), shape.size() == 1 ? "" : "s", h5::to_text(shape));
    if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end())
        return fmt::format("expected at least one frame and one pixel, found the shape {}",
                           h5::to_text(shape));
    return std::nullopt;
}

namespace {

/// Opens the dataset with a chunk cache that holds one layer of chunks, where chunks span several frames:
/// reading frame by frame then unpacks each chunk once.
h5::Handle open_with_cache(const h5::Handle& file, const std::string& file_name, const std::string& path) {
    constexpr std::size_t largest_cache = std::size_t{512} << 20;
    constexpr std::size_t most_slots = std::size_t{1} << 20;  // of 8 bytes, taken at once
    std::size_t layer = 0, chunks = 1;
    {
        const h5::Handle dataset = h5::open_dataset(file, file_name, path);
        const h5::Handle properties(H5Dget_create_plist(dataset));
        const std::vector<std::size_t> shape = h5::shape_of(dataset);
        if (H5Pget_layout(properties) != H5D_CHUNKED || shape.size() != 3)
            return h5::open_dataset(file, file_name, path);
        std::vector<hsize_t> chunk(3);
        H5Pget_chunk(properties, 3, chunk.data());
        chunks = ((shape[1] + chunk[1] - 1) / chunk[1]) * ((shape[2] + chunk[2] - 1) / chunk[2]);
        const h5::Handle type(H5Dget_type(dataset));
        if (chunk[0] > 1) layer = chunks * chunk[0] * chunk[1] * chunk[2] * H5Tget_size(type);
    }
    const h5::Handle access(H5Pcreate(H5P_DATASET_ACCESS));
    if (layer > 0 && layer <= largest_cache)
        H5Pset_chunk_cache(access, std::clamp<std::size_t>(10 * chunks + 1, 521, most_slots),
                           layer + (std::size_t{1} << 20), 1.0);
    h5::Handle dataset(H5Dopen2(file, path.c_str(), access));
    return dataset.valid() ? std::move(dataset) : h5::open_dataset(file, file_name, path);
}

std::string file_of(hid_t object) {
    const ssize_t length = H5Fget_name(object, nullptr, 0);
    if (length <= 0) return {};
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    H5Fget_name(object, name.data(), name.size());
    name.pop_back();
    return name;
}

}  // namespace

Hdf5Frames::Hdf5Frames(h5::Handle file, DataName name) : name_(std::move(name)), file_(std::move(file)) {
    const h5::Lock lock;
    const std::string file_name = name_.file.string();
    dataset_ = open_with_cache(file_, file_name, name_.object);
    data_file_ = file_of(dataset_);
    storage_ = std::make_unique<Storage>(file_, file_name, name_.object, dataset_);
    if (const auto why = why_not_frames(dataset_)) throw Error(ErrorKind::input, *why, name_.to_string());
    const h5::Handle type(H5Dget_type(dataset_));
    stored_ = *h5::element_type(type);
    type_ = frame_type(stored_);
    const std::vector<std::size_t> shape = h5::shape_of(dataset_);
    rank_ = shape.size();
    frames_ = rank_ == 3 ? shape[0] : 1;
    height_ = shape[rank_ - 2];
    width_ = shape[rank_ - 1];
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    if (height_ > most / 8 / width_ || frames_ > most / 8 / width_ / height_)
        throw Error(ErrorKind::input, "the shape " + h5::to_text(shape) + " is too large", name_.to_string());
    frame_time_ = io::frame_time(file_);
    const h5::Handle properties(H5Dget_create_plist(dataset_));
    const haddr_t address = H5Dget_offset(dataset_);
    if (H5Pget_layout(properties) == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0 &&
        H5Tequal(type, h5::memory_type(stored_)) > 0 && address != HADDR_UNDEF && !data_file_.empty())
        offset_ = address;
    identity_ = make_identity();
    files_.add(name_.file, h5::is_swmr(file_));
    if (!data_file_.empty()) files_.add(data_file_, h5::is_swmr(dataset_));
    files_.add(storage_->files());
}

std::string Hdf5Frames::make_identity() const {
    std::string all = stamp(name_.file) + "::" + name_.object;
    if (!data_file_.empty() && data_file_ != name_.file.string())
        all.append(1, '\n').append(stamp(data_file_));
    for (const fs::path& source : storage_->sources()) all.append(1, '\n').append(stamp(source));
    return all;
}

void Hdf5Frames::read(std::size_t first, std::size_t count, std::span<std::byte> into) {
    if (count > frames_ || first > frames_ - count || into.size() != count * frame_bytes())
        throw Error(
            ErrorKind::run,
            fmt::format("frames {} to {} were asked for, there are {}", first, first + count, frames_),
            name());
    if (count == 0) return;
    storage_->require_written(first, count);
    if (stored_ == ElementType::u64)
        read_narrowed<std::uint64_t, std::uint32_t>(first, count, into);
    else if (stored_ == ElementType::f64)
        read_narrowed<double, float>(first, count, into);
    else
        read_stored(first, count, into);
    if (type_ == ElementType::i64) require_i32(first, into);
}

void Hdf5Frames::read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) const {
    if (offset_)
        read_directly(first, into);
    else
        read_slab(first, count, into);
}

template <class From, class To>
void Hdf5Frames::read_narrowed(std::size_t first, std::size_t count, std::span<std::byte> into) const {
    constexpr From most = std::numeric_limits<To>::max();
    std::vector<From> values(pixels());
    for (std::size_t frame = 0; frame < count; ++frame) {
        read_stored(first + frame, 1, std::as_writable_bytes(std::span(values)));
        auto* to = reinterpret_cast<To*>(into.data()) + frame * pixels();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const From value = values[i];
            bool fits = value <= most;
            // infinities and NaN are what they are
            if constexpr (!std::is_integral_v<From>) fits = !std::isfinite(value) || std::abs(value) <= most;
            if (fits) {
                to[i] = static_cast<To>(value);
                continue;
            }
            throw Error(ErrorKind::input,
                        fmt::format("expected pixels that fit {}, found {} in {}", name_of(type_), value,
                                    place_of(first + frame, i)),
                        name());
        }
    }
}

std::string Hdf5Frames::place_of(std::size_t first, std::size_t i) const {
    const std::size_t at = i % pixels();
    return fmt::format("frame {} at row {}, column {}", first + i / pixels(), at / width_, at % width_);
}

bool Hdf5Frames::written(std::size_t frame) const {
    return frame < frames_ && storage_->written(frame);
}

void Hdf5Frames::read_directly(std::size_t first, std::span<std::byte> into) const {
    const Descriptor file(data_file_);
    if (file.number() < 0)
        throw Error(ErrorKind::input,
                    std::string("the file cannot be opened any more: ") + std::strerror(errno), name());
    std::uint64_t at = *offset_ + std::uint64_t{first} * pixels() * size_of(stored_);
    while (!into.empty()) {
        const std::size_t most = std::min<std::size_t>(into.size(), std::size_t{1} << 30);
        const ssize_t got = ::pread(file.number(), into.data(), most, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            throw Error(ErrorKind::input,
                        got == 0 ? std::string("the file is truncated: it ends inside of the frames")
                                 : std::string("reading failed: ") + std::strerror(errno),
                        name());
        into = into.subspan(static_cast<std::size_t>(got));
        at += static_cast<std::uint64_t>(got);
    }
}

void Hdf5Frames::read_slab(std::size_t first, std::size_t count, std::span<std::byte> into) const {
    const h5::Lock lock;
    const h5::Handle space(H5Dget_space(dataset_));
    const hsize_t start[3] = {first, 0, 0}, block[3] = {count, height_, width_};
    if (rank_ == 3) H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
    const h5::Handle memory(H5Screate_simple(3, block, nullptr));
    if (H5Dread(dataset_, h5::memory_type(stored_), memory, space, H5P_DEFAULT, into.data()) >= 0) return;
    const std::string why = h5::last_failure();
    require_filters(dataset_, name(), true);
    throw Error(ErrorKind::input,
                count == 1 ? fmt::format("frame {} cannot be read: {}", first, why)
                           : fmt::format("frames {} to {} cannot be read: {}", first, first + count - 1, why),
                name(), "the file may be truncated or damaged");
}

void Hdf5Frames::require_i32(std::size_t first, std::span<const std::byte> values) const {
    const auto* from = reinterpret_cast<const std::int64_t*>(values.data());
    const std::size_t n = values.size() / sizeof(std::int64_t);
    for (std::size_t i = 0; i < n; ++i) {
        if (from[i] == static_cast<std::int32_t>(from[i])) continue;
        throw Error(
            ErrorKind::input,
            fmt::format("expected pixels that fit 32 bits, found {} in {}", from[i], place_of(first, i)),
            name());
    }
}

}  // namespace ks::io
