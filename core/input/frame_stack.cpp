#include "core/input/frame_stack.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/raw_bytes.h"
#include "core/base/threads.h"
#include "core/data/count_text.h"
#include "core/input/frame_mask.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/hdf5/nxmx.h"
#include "core/io/no_count.h"
#include "core/io/open_frames.h"
#include "core/io/stored_frames.h"

namespace ks::io {
namespace {

constexpr const char* data_path = "/entry/data/data";
constexpr const char* detector = "/entry/instrument/detector";

/// The largest valid count, if values beyond it occur that are none.
std::optional<double> valid_limit(const DetectorFields& fields, ElementType type) {
    const std::optional<double> mark = marking_value(type);
    if (!fields.lacks_pixels || !mark) return fields.saturation;
    return std::min(fields.saturation.value_or(*mark - 1), *mark - 1);
}

/// Without the masks if none of them can be used.
std::shared_ptr<const DetectorFields> fields_of(const std::string& frames, const FrameSource& source,
                                                std::vector<std::string>& notices) {
    const InputRef input{frames, {}};
    try {
        return detector_fields(input, source, true, nullptr);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        notices.push_back(fmt::format("{}: {}; no mask was written", error.where(), error.message()));
    }
    return detector_fields(input, source, false, nullptr);
}

void write_frames(h5::Writer& out, FrameSource& source, FrameStack& made, Progress& progress) {
    h5::Writer::Stack stack = out.stack(data_path, made.type, made.frames, made.height, made.width,
                                        {h5::Codec::bslz4, 0}, no_count(made.type));
    const std::size_t bytes = source.frame_bytes(), at_once = h5::Writer::frames_at_once(bytes);
    RawBytes values(at_once * bytes);
    std::vector<std::size_t> now;
    const auto put = [&] {
        if (now.empty()) return;
        const auto read = [&](std::size_t i) {
            progress.check();
            source.read(now[i], 1, {values.data() + i * bytes, bytes});
        };
        parallel_for(now.size(), source.reads_side_by_side() ? compute_threads() : 1, read);
        out.put(stack, now.front(), {values.data(), now.size() * bytes});
        now.clear();
    };
    for (std::size_t frame = 0; frame < made.frames; ++frame) {
        progress.report(static_cast<double>(frame) / static_cast<double>(made.frames), "convert");
        if (source.written(frame)) {
            now.push_back(frame);
            if (now.size() == at_once) put();
        } else {
            put();
            made.absent.push_back(frame);
        }
    }
    put();
    out.finish(std::move(stack), data_path);
}

void write_detector(h5::Writer& out, const FrameStack& made, const PixelMask& mask) {
    const std::string home = detector;
    out.group("/entry/instrument", "NXinstrument");
    out.group(home, "NXdetector");
    if (made.frame_time) out.number(home + "/frame_time", *made.frame_time, "s");
    if (!mask.empty()) {
        std::vector<std::uint32_t> flags(mask.ignore.begin(), mask.ignore.end());
        out.array(home + "/pixel_mask", Array::of<std::uint32_t>({made.height, made.width}, std::move(flags)),
                  {}, true);
    }
    if (made.saturation) out.number(home + "/saturation_value", *made.saturation);
    if (!made.geometry) return;
    write_geometry(out, *made.geometry);
    if (!made.geometry->complete()) return;
    write_nxmx(out, {.frames = made.frames,
                     .height = made.height,
                     .width = made.width,
                     .geometry = *made.geometry,
                     .rotation_step = {},
                     .sensor = {},
                     .largest_count = {}});
}

}  // namespace

FrameStack write_frame_stack(const std::string& frames, const std::filesystem::path& out, bool overwrite,
                             Progress& progress) {
    const std::shared_ptr<FrameSource> source = open_frames(frames);
    FrameStack made{.source = source->name(),
                    .frames = source->frames(),
                    .height = source->height(),
                    .width = source->width(),
                    .type = source->type(),
                    .absent = {},
                    .geometry = {},
                    .frame_time = source->frame_time(),
                    .saturation = {},
                    .masked = {}};
    if (const auto fault = source->frame_time_fault()) made.notices.push_back(*fault);
    for (const std::string& one : source->contradictions()) made.notices.push_back(one);
    if (const auto* stored = dynamic_cast<const StoredFrames*>(source.get());
        stored != nullptr && stored->stored() == ElementType::f64)
        made.notices.push_back(fmt::format("{}: values of type f64 were rounded to f32", made.source));
    std::vector<GeometryFault> faults;
    made.geometry = read_geometry(made.source, faults);
    for (const GeometryFault& fault : faults) made.notices.emplace_back(fault.error.what());
    const auto fields = fields_of(frames, *source, made.notices);
    made.notices.insert(made.notices.end(), fields->notices.begin(), fields->notices.end());
    made.saturation = valid_limit(*fields, made.type);
    if (!fields->mask.empty())
        made.masked = fields->mask.ignore.size() -
                      static_cast<std::size_t>(std::ranges::count(fields->mask.ignore, std::uint8_t{0}));

    AtomicFile file(out, overwrite);
    h5::Writer writer(file.temporary(), out.string(), &progress);
    writer.attribute("/", "default", "entry");
    writer.group("/entry", "NXentry");
    writer.attribute("/entry", "default", "data");
    writer.group("/entry/data", "NXdata");
    writer.attribute("/entry/data", "signal", "data");
    writer.text("/entry/converted_from", made.source);
    write_frames(writer, *source, made, progress);
    write_detector(writer, made, fields->mask);
    writer.close();
    file.commit(progress);
    progress.report(1, "convert");
    return made;
}

}  // namespace ks::io
