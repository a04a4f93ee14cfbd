#include "core/io/digis/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/csv/csv.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"

namespace ks::io {
namespace {

constexpr std::size_t max_frames = 1'000'000;
constexpr std::uint64_t max_counts = std::numeric_limits<std::uint16_t>::max();

struct Hit {
    std::uint32_t frame, pixel;
    std::uint64_t counts;
};

/// Frames are modules, or events if there is only one module: a stack has one number per frame.
class FrameNumbers {
  public:
    void add(std::uint32_t module, std::uint32_t event) {
        if (any_) {
            modules_ |= module != module_;
            events_ |= event != event_;
        }
        any_ = true;
        module_ = module;
        event_ = event;
    }
    bool are_events(const std::filesystem::path& csv) const {
        if (modules_ && events_)
            throw Error(
                ErrorKind::input,
                "expected hits of a single event or a single module, because a frame has only one number; "
                "found several events and several modules",
                csv.string(), "convert each event separately, without the column \"event\"");
        return events_;
    }

  private:
    std::uint32_t module_ = 0, event_ = 0;
    bool any_ = false, modules_ = false, events_ = false;
};

std::vector<Hit> read_hits(const std::filesystem::path& csv, std::size_t height, std::size_t width,
                           std::vector<std::string>& warnings, Progress& progress) {
    CsvReader in(csv, {"module", "x", "y", "adc"}, {"event"});
    struct Range {
        const char* name;
        std::int64_t end;
    };
    const std::array<Range, 5> ranges{{{"module", static_cast<std::int64_t>(max_frames)},
                                       {"x", static_cast<std::int64_t>(width)},
                                       {"y", static_cast<std::int64_t>(height)},
                                       {"adc", std::int64_t{1} << 40},
                                       {"event", std::int64_t{1} << 32}}};
    const std::size_t columns = in.has(4) ? 5 : 4;
    FrameNumbers numbers;
    std::vector<Hit> hits;
    std::vector<std::uint32_t> events;
    while (in.next()) {
        if (hits.size() % 65536 == 0) progress.report(in.fraction(), "read");
        std::array<std::uint64_t, 5> row{};
        for (std::size_t i = 0; i < columns; ++i) {
            const std::int64_t value = in.integer(i);
            if (value < 0 || value >= ranges[i].end)
                throw Error(ErrorKind::input,
                            fmt::format("expected {} from 0 to {}, found {}", ranges[i].name,
                                        ranges[i].end - 1, value),
                            in.where(), i == 1 || i == 2 ? "give the shape as height, width" : "");
            row[i] = static_cast<std::uint64_t>(value);
        }
        hits.push_back({static_cast<std::uint32_t>(row[0]),
                        static_cast<std::uint32_t>(row[2] * width + row[1]), row[3]});
        if (columns < 5) continue;
        events.push_back(static_cast<std::uint32_t>(row[4]));
        numbers.add(hits.back().frame, events.back());
    }
    if (numbers.are_events(csv))
        for (std::size_t i = 0; i < hits.size(); ++i) {
            if (events[i] >= max_frames)
                throw Error(
                    ErrorKind::input,
                    fmt::format("expected an event number from 0 to {} (each event is a frame), found {}",
                                max_frames - 1, events[i]),
                    csv.string());
            hits[i].frame = events[i];
        }
    if (std::string warning = in.end_warning(); !warning.empty()) warnings.push_back(std::move(warning));
    if (hits.empty()) throw Error(ErrorKind::input, "expected hits, found only a header", csv.string());
    return hits;
}

/// Converts one frame's sums to the type in the file. @return how many were too large
std::size_t clamp_into(const std::vector<std::uint64_t>& sums, std::vector<std::uint16_t>& frame) {
    std::size_t saturated = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sums[i] > max_counts) ++saturated;
        frame[i] = static_cast<std::uint16_t>(std::min(sums[i], max_counts));
    }
    return saturated;
}

void write_origin(h5::Writer& out, const std::filesystem::path& csv, const Converted& done) {
    out.attribute("/", "default", "entry");
    out.attribute("/entry", "NX_class", "NXentry");
    out.attribute("/entry", "default", "data");
    out.attribute("/entry/data", "NX_class", "NXdata");
    out.attribute("/entry/data", "signal", "data");
    out.group("/entry/kernelscope", "NXcollection");
    nlohmann::json request = nlohmann::json::object();
    request["convert"] = csv.string();
    request["shape"] = {done.height, done.width};
    out.text("/entry/kernelscope/request", dump_json(request, 2));
    out.text("/entry/kernelscope/version", KERNELSCOPE_VERSION);
}

}  // namespace

Converted convert_digis(const std::filesystem::path& csv, std::size_t height, std::size_t width,
                        const std::filesystem::path& out, bool overwrite, Progress& progress) {
    if (height == 0 || width == 0 || height > std::numeric_limits<std::uint32_t>::max() / 2 / width)
        throw Error(ErrorKind::input,
                    fmt::format("expected a shape of 1 to 2^31 pixels, found {},{}", height, width), "shape");
    AtomicFile file(out, overwrite);
    std::vector<std::string> warnings;
    std::vector<Hit> hits = read_hits(csv, height, width, warnings, progress);
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.frame < b.frame; });
    Converted done{hits.size(), std::size_t{hits.back().frame} + 1, height, width, 0, std::move(warnings)};

    h5::Writer writer(file.temporary(), out.string(), &progress);
    {
        h5::Writer::Stack stack =
            writer.stack("/entry/data/data", ElementType::u16, done.frames, height, width, h5::small_gzip);
        std::vector<std::uint64_t> sums(height * width);
        std::vector<std::uint16_t> frame(sums.size());
        auto hit = hits.begin();
        for (std::size_t t = 0; t < done.frames; ++t) {
            progress.report(static_cast<double>(t) / static_cast<double>(done.frames), "write");
            std::fill(sums.begin(), sums.end(), 0);
            for (; hit != hits.end() && hit->frame == t; ++hit) sums[hit->pixel] += hit->counts;
            done.saturated += clamp_into(sums, frame);
            writer.put(stack, t, std::as_bytes(std::span(frame)));
        }
        writer.finish(std::move(stack), "/entry/data/data");
    }
    write_origin(writer, csv, done);
    writer.close();
    file.commit(progress);
    progress.report(1.0, "write");
    return done;
}

}  // namespace ks::io
