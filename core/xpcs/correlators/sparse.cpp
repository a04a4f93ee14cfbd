#include "core/xpcs/correlators/sparse.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/raw_bytes.h"
#include "core/base/stopwatch.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/regroup.h"

namespace ks::xpcs {
namespace {

struct Event {
    std::uint32_t frame, count;
};

/// An event as it is found, with the position of its pixel among those of all bins.
struct Found {
    std::uint32_t position;
    Event event;
};

/// Pixels [first, end) of a frame, whose events one thread finds.
struct PixelBand {
    std::size_t first, end;
    std::vector<Found> found;  ///< in the order of frames
};

constexpr std::size_t pixels_of_band = 8192;

/// Calls found(pixel, value) for the values other than 0 of pixels [first, end), eight bytes at a time.
template <class T, class Use>
void for_filled(const T* frame, std::size_t first, std::size_t end, const Use& found) {
    constexpr std::size_t at_once = sizeof(std::uint64_t) / sizeof(T);
    std::size_t pixel = first;
    const auto one = [&] {
        if (frame[pixel] != T{0}) found(pixel, frame[pixel]);
        ++pixel;
    };
    while (pixel + at_once <= end) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, frame + pixel, sizeof bits);
        if (bits == 0) {
            pixel += at_once;
            continue;
        }
        for (std::size_t i = 0; i < at_once; ++i) one();
    }
    while (pixel < end) one();
}

/// The counts other than 0 of the pixels in bins.
class Events {
  public:
    Events(const CorrelationProblem& problem, HostContext& context) : problem_(problem), context_(context) {
        Stopwatch watch;
        find();
        sort();
        add(context.timings, {"find events", StageKind::host, watch.lap(), problem.frames_bytes()});
    }

    std::uint64_t of_bin(std::size_t bin) const {
        const std::vector<std::uint32_t>& offsets = problem_.partition().offsets();
        return begins_[offsets[bin + 1]] - begins_[offsets[bin]];
    }
    /// The events of the pixel at this position among those of all bins, in the order of frames.
    std::span<const Event> of(std::size_t position) const {
        return {events_.data() + begins_[position], begins_[position + 1] - begins_[position]};
    }
    std::size_t begin(std::size_t position) const { return begins_[position]; }
    const std::vector<Event>& all() const { return events_; }

  private:
    void find() {
        const QPartition& partition = problem_.partition();
        const std::size_t pixels = problem_.height() * problem_.width(), frames = problem_.frames(),
                          frame_bytes = problem_.frames_bytes() / frames;
        constexpr std::uint32_t in_no_bin = std::numeric_limits<std::uint32_t>::max();
        std::vector<std::uint32_t> positions(pixels, in_no_bin);
        for (std::size_t i = 0; i < partition.selected(); ++i)
            positions[partition.pixels()[i]] = static_cast<std::uint32_t>(i);
        for (std::size_t first = 0; first < pixels; first += pixels_of_band)
            bands_.push_back({first, std::min(pixels, first + pixels_of_band), {}});
        const bool resident = !problem_.resident().empty();
        const std::size_t at_once = resident ? frames : problem_.scan()->slab(frames);
        RawBytes buffer(resident ? 0 : at_once * frame_bytes);
        for (std::size_t t0 = 0; t0 < frames; t0 += at_once) {
            context_.progress.report(0.5 * static_cast<double>(t0) / static_cast<double>(frames),
                                     "find events");
            const std::size_t count = std::min(at_once, frames - t0);
            const std::byte* from = problem_.resident().data();
            if (!resident) {
                problem_.read(t0, count, {buffer.data(), count * frame_bytes});
                from = buffer.data();
            }
            visit_element(problem_.source_type(), [&](auto zero) {
                using T = decltype(zero);
                parallel_for(bands_.size(), context_.threads, context_.progress, [&](std::size_t i) {
                    PixelBand& band = bands_[i];
                    for (std::size_t t = 0; t < count; ++t)
                        for_filled(reinterpret_cast<const T*>(from + t * frame_bytes), band.first, band.end,
                                   [&](std::size_t pixel, T value) {
                                       const std::uint32_t position = positions[pixel];
                                       if (position == in_no_bin) return;
                                       band.found.push_back({position,
                                                             {static_cast<std::uint32_t>(t0 + t),
                                                              static_cast<std::uint32_t>(value)}});
                                   });
                });
            });
            require_room();
        }
    }

    /// Throws ks::Error(input) if the events found so far do not fit.
    void require_room() const {
        std::uint64_t bytes = 0;
        for (const PixelBand& band : bands_) bytes += band.found.size() * (sizeof(Found) + sizeof(Event));
        require_within(context_.memory_limit, host_bytes(problem_) + bytes, "the counts other than 0",
                       "sparse counts");
    }

    void sort() {
        const std::size_t positions = problem_.partition().selected();
        begins_.assign(positions + 1, 0);
        for (const PixelBand& band : bands_)
            for (const Found& one : band.found) ++begins_[one.position + 1];
        for (std::size_t i = 0; i < positions; ++i) begins_[i + 1] += begins_[i];
        events_.resize(begins_.back());
        std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
        // A pixel is in one band only.
        parallel_for(bands_.size(), context_.threads, [&](std::size_t i) {
            for (const Found& one : bands_[i].found) events_[next[one.position]++] = one.event;
            bands_[i].found = {};
        });
    }

    const CorrelationProblem& problem_;
    HostContext& context_;
    std::vector<PixelBand> bands_;
    std::vector<Event> events_;        ///< by pixel, then by frame
    std::vector<std::size_t> begins_;  ///< [position] into events_, and the end
};

/// One bin.
class SparseBin {
  public:
    SparseBin(const CorrelationProblem& problem, HostContext& context, const Events& events, std::size_t bin)
        : problem_(problem),
          context_(context),
          events_(events),
          frames_(problem.frames()),
          delays_(problem.delays_of(bin).end),
          pixels_(problem.partition().bin_size(bin)),
          sums_(frames_, 0),
          frames_begin_(frames_ + 1, 0) {
        const std::size_t first = problem.partition().offsets()[bin];
        for (std::size_t position = first; position < first + pixels_; ++position) {
            const std::uint64_t n = events.of(position).size();
            all_products_ += n * (n + 1) / 2;
            for (const Event& event : events.of(position)) {
                sums_[event.frame] += event.count;
                ++frames_begin_[event.frame + 1];
            }
        }
        for (std::size_t t = 0; t < frames_; ++t) frames_begin_[t + 1] += frames_begin_[t];
        of_frames_.resize(frames_begin_.back());
        std::vector<std::size_t> next(frames_begin_.begin(), frames_begin_.end() - 1);
        for (std::size_t position = first; position < first + pixels_; ++position) {
            const std::size_t end = events.begin(position + 1);
            for (std::size_t i = events.begin(position); i < end; ++i)
                of_frames_[next[events.all()[i].frame]++] = {i, end};
        }
    }

    /// @param two_time [t1][t2], or null
    void correlate(double* g2, double* g2_err, double* two_time) {
        const std::size_t rows = rows_at_once();
        products_.resize(rows * delays_);
        g_.assign(delays_, 0);
        for (std::vector<double>* of : {&ss_, &mean_, &terms_, &squares_}) of->assign(delays_, 0);
        std::size_t kept = 0, kept_end = 0;  // rows in products_
        const auto for_blocks = [&](const auto& use) {
            for (std::size_t t0 = 0; t0 < frames_; t0 += rows) {
                const std::size_t end = std::min(frames_, t0 + rows);
                if (kept != t0 || kept_end != end) multiply(t0, end);
                kept = t0;
                kept_end = end;
                parallel_for((delays_ + delays_at_once - 1) / delays_at_once, context_.threads,
                             context_.progress, [&](std::size_t chunk) {
                                 const std::size_t from = chunk * delays_at_once;
                                 use(t0, end, from, std::min(delays_, from + delays_at_once));
                             });
            }
        };
        for_blocks([&](std::size_t t0, std::size_t end, std::size_t from, std::size_t until) {
            add_means(t0, end, from, until);
            if (two_time) put_map(t0, end, from, until, two_time);
        });
        for (std::size_t delay = 0; delay < delays_; ++delay) mean_[delay] /= terms_[delay];
        for_blocks([&](std::size_t t0, std::size_t end, std::size_t from, std::size_t until) {
            add_squares(t0, end, from, until);
        });
        for (std::size_t delay = 0; delay < delays_; ++delay) {
            g2[delay] = ss_[delay] == 0 ? nan_value : static_cast<double>(g_[delay]) / ss_[delay];
            g2_err[delay] = terms_[delay] == 0
                                ? nan_value
                                : std::sqrt(squares_[delay] / terms_[delay]) / std::sqrt(terms_[delay]);
        }
    }

  private:
    static constexpr std::size_t delays_at_once = 256;
    static constexpr std::uint64_t kept_bytes = std::uint64_t{256} << 20, cached_bytes = 2 << 20;
    static constexpr std::uint64_t few = 4;  ///< pairs of frames per product of two events

    /// An event of a frame, and the end of those of its pixel.
    struct Place {
        std::size_t event, end;
    };

    /// The products of all rows if there is room; else they are computed twice, in blocks of rows. So they
    /// are where they are few, as that takes less time than moving sums that are nearly all 0 through memory.
    std::size_t rows_at_once() const {
        constexpr std::uint64_t fewest = 16;
        const std::uint64_t row = delays_ * sizeof(std::uint64_t),
                            room = std::min(kept_bytes, context_.memory_limit / 8),
                            rows = std::clamp<std::uint64_t>(room / row, 1, frames_);
        if (all_products_ * few > std::uint64_t{frames_} * delays_ / 2) return rows;
        return std::min(rows, std::max(fewest, cached_bytes / row));
    }

    /// G(t, t + delay) of frames [t0, end).
    void multiply(std::size_t t0, std::size_t end) {
        constexpr std::size_t frames_at_once = 8;
        const std::vector<Event>& all = events_.all();
        parallel_for((end - t0 + frames_at_once - 1) / frames_at_once, context_.threads, context_.progress,
                     [&](std::size_t i) {
                         const std::size_t first = t0 + i * frames_at_once;
                         for (std::size_t t = first; t < std::min(end, first + frames_at_once); ++t) {
                             std::uint64_t* const row = products_.data() + (t - t0) * delays_;
                             std::fill_n(row, std::min(delays_, frames_ - t), std::uint64_t{0});
                             for (std::size_t k = frames_begin_[t]; k < frames_begin_[t + 1]; ++k) {
                                 const std::uint64_t count = all[of_frames_[k].event].count;
                                 for (std::size_t j = of_frames_[k].event; j < of_frames_[k].end; ++j) {
                                     const std::size_t delay = all[j].frame - t;
                                     if (delay >= delays_) break;
                                     row[delay] += count * all[j].count;
                                 }
                             }
                         }
                     });
    }

    /// Calls use(delay, G, S S, C) with the pairs of frames at delays [from, until), in the order of frames
    /// at each of them; without S S, C is arbitrary.
    template <class Use>
    void for_pairs(std::size_t t0, std::size_t end, std::size_t from, std::size_t until,
                   const Use& use) const {
        const auto n = static_cast<double>(pixels_);
        for (std::size_t t = t0; t < end; ++t) {
            const std::uint64_t* const row = products_.data() + (t - t0) * delays_;
            const auto here = static_cast<double>(sums_[t]);
            for (std::size_t delay = from; delay < std::min(until, frames_ - t); ++delay) {
                const double ss = here * static_cast<double>(sums_[t + delay]);
                use(t, delay, row[delay], ss, n * static_cast<double>(row[delay]) / ss);
            }
        }
    }

    void add_means(std::size_t t0, std::size_t end, std::size_t from, std::size_t until) {
        const auto n = static_cast<double>(pixels_);
        for_pairs(t0, end, from, until,
                  [&](std::size_t, std::size_t delay, std::uint64_t g, double ss, double c) {
                      g_[delay] += g;
                      ss_[delay] += ss / n;
                      mean_[delay] += ss == 0 ? 0 : c;
                      terms_[delay] += ss == 0 ? 0 : 1;
                  });
    }

    void add_squares(std::size_t t0, std::size_t end, std::size_t from, std::size_t until) {
        for_pairs(t0, end, from, until,
                  [&](std::size_t, std::size_t delay, std::uint64_t, double ss, double c) {
                      const double away = c - mean_[delay];
                      squares_[delay] += ss == 0 ? 0 : away * away;
                  });
    }

    void put_map(std::size_t t0, std::size_t end, std::size_t from, std::size_t until, double* map) const {
        for_pairs(t0, end, from, until,
                  [&](std::size_t t, std::size_t delay, std::uint64_t, double ss, double c) {
                      map[t * frames_ + t + delay] = map[(t + delay) * frames_ + t] = ss == 0 ? nan_value : c;
                  });
    }

    const CorrelationProblem& problem_;
    HostContext& context_;
    const Events& events_;
    std::size_t frames_, delays_, pixels_;
    std::vector<std::uint64_t> sums_;        ///< S by frame
    std::vector<std::size_t> frames_begin_;  ///< [frame] into of_frames_, and the end
    std::vector<Place> of_frames_;
    std::uint64_t all_products_ = 0;       ///< of two events, at most
    std::vector<std::uint64_t> products_;  ///< [row][delay]
    std::vector<std::uint64_t> g_;
    std::vector<double> ss_, mean_, terms_, squares_;
};

}  // namespace

Result run_sparse(const CorrelationProblem& problem, HostContext& context) {
    if (problem.compact() == ElementType::f32)
        throw Error(ErrorKind::input, "expected whole counts that are not negative", "sparse counts",
                    "use another correlator");
    const std::size_t bins = problem.partition().bins(), frames = problem.frames();
    Correlation out{bins,
                    frames,
                    std::vector<double>(bins * frames, nan_value),
                    std::vector<double>(bins * frames, nan_value),
                    {}};
    if (problem.two_time_bin() > 0) out.two_time.assign(frames * frames, nan_value);
    const Events events(problem, context);
    Stopwatch watch;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        out.events.push_back(events.of_bin(bin));
        context.progress.report(0.5 + 0.5 * problem.partition().offsets()[bin] /
                                          static_cast<double>(problem.partition().selected()),
                                "correlate");
        if (problem.partition().bin_size(bin) == 0) continue;
        const bool map = problem.two_time_bin() == bin + 1;
        SparseBin(problem, context, events, bin)
            .correlate(out.g2.data() + bin * frames, out.g2_err.data() + bin * frames,
                       map ? out.two_time.data() : nullptr);
    }
    add(context.timings, {"correlate", StageKind::host, watch.lap()});
    context.progress.report(1, "correlate");
    return to_result(std::move(out), problem);
}

}  // namespace ks::xpcs
