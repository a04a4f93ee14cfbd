#include "core/clusters/synthetic/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/threads.h"

namespace ks::clusters {
namespace {

/// The number of the cluster at each pixel of a module; 0: none. Of a module that is much larger than any
/// detector's, only the pixels with a cluster are kept.
class Owners {
  public:
    explicit Owners(std::size_t pixels) : all_(pixels <= most_kept ? pixels : 0, 0) {}
    std::uint32_t at(std::size_t pixel) const {
        if (!all_.empty()) return all_[pixel];
        const auto found = owned_.find(pixel);
        return found == owned_.end() ? 0 : found->second;
    }
    void set(std::size_t pixel, std::uint32_t cluster) {
        if (!all_.empty())
            all_[pixel] = cluster;
        else if (cluster == 0)
            owned_.erase(pixel);
        else
            owned_[pixel] = cluster;
    }

  private:
    static constexpr std::size_t most_kept = std::size_t{1} << 26;
    std::vector<std::uint32_t> all_;
    std::unordered_map<std::size_t, std::uint32_t> owned_;
};

/// Places clusters of given sizes in a module so that none touches another, as long as there is room.
class ModuleScatter {
  public:
    using Pixel = std::pair<std::uint16_t, std::uint16_t>;

    ModuleScatter(std::uint32_t extent_x, std::uint32_t extent_y)
        : width_(static_cast<std::int32_t>(extent_x)),
          height_(static_cast<std::int32_t>(extent_y)),
          stride_(std::size_t{extent_x} + 2),
          owners_(stride_ * (std::size_t{extent_y} + 2)) {}
    /// Pixels of the next cluster, all of them free; if no isolated position is found, they touch others.
    /// Throws ks::Error(input) if the module is full.
    std::vector<Pixel> place(std::size_t size, Random& random) {
        constexpr int patience = 64;
        ++now_;
        for (int attempt = 0; attempt < patience; ++attempt) {
            std::vector<Pixel> pixels;
            if (grow(pixels, size, random)) return pixels;
            for (const Pixel& pixel : pixels) owners_.set(index(pixel.first, pixel.second), 0);
        }
        std::vector<Pixel> pixels;
        squeeze_in(pixels, size, random);
        return pixels;
    }
    void clear() {
        for (const std::size_t pixel : used_) owners_.set(pixel, 0);
        used_.clear();
        now_ = 0;
    }

  private:
    /// Free and not adjacent to another cluster.
    bool alone(std::int32_t x, std::int32_t y) const {
        if (x < 0 || y < 0 || x >= width_ || y >= height_) return false;
        const std::size_t here = index(x, y);
        if (owners_.at(here) != 0) return false;
        for (const std::size_t row : {here - stride_, here, here + stride_})
            for (std::size_t pixel = row - 1; pixel <= row + 1; ++pixel)
                if (const std::uint32_t one = owners_.at(pixel); one != 0 && one != now_) return false;
        return true;
    }
    /// There is a border of one pixel around the module.
    std::size_t index(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y + 1) * stride_ + static_cast<std::size_t>(x + 1);
    }
    bool grow(std::vector<Pixel>& pixels, std::size_t size, Random& random) {
        constexpr int patience = 32;
        const auto below = [&random](std::int32_t end) {
            return static_cast<std::int32_t>(random.next() % static_cast<std::uint64_t>(end));
        };
        const std::int32_t x = below(width_), y = below(height_);
        if (!alone(x, y)) return false;
        take(pixels, x, y);
        while (pixels.size() < size) {
            bool grown = false;
            for (int attempt = 0; attempt < patience && !grown; ++attempt) {
                const Pixel from = pixels[random.next() % pixels.size()];
                const std::int32_t to_x = from.first + below(3) - 1, to_y = from.second + below(3) - 1;
                grown = alone(to_x, to_y);
                if (grown) take(pixels, to_x, to_y);
            }
            if (!grown) return false;
        }
        return true;
    }
    void take(std::vector<Pixel>& pixels, std::int32_t x, std::int32_t y) {
        owners_.set(index(x, y), now_);
        used_.push_back(index(x, y));
        pixels.emplace_back(static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y));
    }
    void squeeze_in(std::vector<Pixel>& pixels, std::size_t size, Random& random) {
        const std::size_t area = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
        std::size_t at = random.next() % area;
        for (std::size_t looked = 0; looked < area && pixels.size() < size; ++looked, at = (at + 1) % area) {
            const auto x = static_cast<std::int32_t>(at % static_cast<std::size_t>(width_));
            const auto y = static_cast<std::int32_t>(at / static_cast<std::size_t>(width_));
            if (owners_.at(index(x, y)) == 0) take(pixels, x, y);
        }
        if (pixels.size() < size)
            throw Error(ErrorKind::input, "a module does not have enough pixels for its digis", "digis");
    }

    std::int32_t width_, height_;
    std::size_t stride_;
    Owners owners_;
    std::vector<std::size_t> used_;
    std::uint32_t now_ = 0;
};

using Pixel = std::pair<std::uint16_t, std::uint16_t>;

std::uint32_t charge(Random& random) {
    constexpr double minimum = 1000, mean = 6000, maximum = 65535;
    return static_cast<std::uint32_t>(std::min(maximum, minimum - mean * std::log(random.uniform())));
}

void add(DigiTable& digis, std::uint32_t module, Pixel pixel, std::uint32_t adc) {
    digis.module.push_back(module);
    digis.x.push_back(pixel.first);
    digis.y.push_back(pixel.second);
    digis.adc.push_back(adc);
}

void add(DigiTable& digis, std::uint32_t module, Pixel pixel, Random& random) {
    add(digis, module, pixel, charge(random));
}

/// Share of the i-th of n in `total`.
std::size_t share(std::size_t total, std::size_t n, std::size_t i) {
    return total / n + (i < total % n ? 1 : 0);
}

void add_shape(DigiTable& digis, const EventSpec& spec, std::span<const Pixel> pixels, Random& random) {
    for (std::size_t module = 0; module < spec.modules; ++module) {
        const std::size_t count = spec.digis == 0 ? pixels.size() : share(spec.digis, spec.modules, module);
        for (const Pixel& pixel : pixels.first(count))
            add(digis, static_cast<std::uint32_t>(module), pixel, random);
    }
}

/// Clusters at random positions: their modules and sizes are random, but not the totals.
void add_random(DigiTable& digis, const EventSpec& spec, Random& random) {
    std::vector<std::uint32_t> size(spec.clusters, 1), module(spec.clusters);
    for (std::size_t extra = spec.clusters; extra < spec.digis; ++extra) ++size[random.next() % size.size()];
    for (std::uint32_t& one : module) one = static_cast<std::uint32_t>(random.next() % spec.modules);
    std::vector<std::size_t> order(spec.clusters);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&module](std::size_t i) { return module[i]; });
    ModuleScatter scatter(spec.layout.extent_x, spec.layout.extent_y);
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k > 0 && module[order[k]] != module[order[k - 1]]) scatter.clear();
        for (const Pixel& pixel : scatter.place(size[order[k]], random))
            add(digis, module[order[k]], pixel, random);
    }
}

void add_faults(DigiTable& digis, const EventSpec& spec, Random& random) {
    const std::size_t valid = digis.size();
    for (std::size_t i = 0; i < spec.duplicates; ++i) {
        const std::size_t row = random.next() % valid;
        add(digis, digis.module[row], {digis.x[row], digis.y[row]}, random);
    }
    for (std::size_t i = 0; i < spec.invalid; ++i) {
        const Pixel pixel{static_cast<std::uint16_t>(random.next() % spec.layout.extent_x),
                          static_cast<std::uint16_t>(random.next() % spec.layout.extent_y)};
        add(digis, spec.layout.invalid_ids[i % spec.layout.invalid_ids.size()], pixel, random);
    }
}

bool is_critical(const EventSpec& spec) {
    return spec.critical != "none";
}

constexpr std::uint32_t least_critical_extent = 8;  // so that only those digis are adjacent that should be

/// See EventSpec::critical.
void add_critical(DigiTable& digis, const EventSpec& spec, Random& random) {
    const auto module = static_cast<std::uint32_t>(spec.modules);
    const auto right = static_cast<std::uint16_t>(spec.layout.extent_x - 1),
               bottom = static_cast<std::uint16_t>(spec.layout.extent_y - 1);
    const auto x = static_cast<std::uint16_t>(spec.layout.extent_x / 2),
               y = static_cast<std::uint16_t>(spec.layout.extent_y / 2);
    constexpr std::uint16_t first = 0;
    // A pixel after the last column would be the first one of the next row, or of the row after that.
    for (const Pixel& corner :
         {Pixel{first, first}, Pixel{first, 1}, Pixel{first, 2}, Pixel{1, first}, Pixel{2, first},
          Pixel{right, first}, Pixel{first, bottom}, Pixel{right, bottom}})
        add(digis, module, corner, random);
    // clusters in the last row, in the last column, and in both
    const auto before_right = static_cast<std::uint16_t>(right - 1),
               above = static_cast<std::uint16_t>(bottom - 1);
    for (const Pixel& last : {Pixel{3, bottom}, Pixel{4, bottom}, Pixel{right, 2}, Pixel{right, 3},
                              Pixel{before_right, bottom}, Pixel{right, above}, Pixel{before_right, above}})
        add(digis, module, last, random);
    constexpr std::uint32_t beyond_16_bits = 70000, half_of_32_bits = std::uint32_t{1} << 31;
    add(digis, module, {x, static_cast<std::uint16_t>(y - 2)}, beyond_16_bits);
    add(digis, module, {x, y}, half_of_32_bits);
    if (spec.critical == "32_bits")
        add(digis, module, {static_cast<std::uint16_t>(x + 1), y}, half_of_32_bits);
}

/// One digi, as many at a pixel beside it as no list holds, and another one beside the first that does not
/// touch the many: along columns, along rows, and, for neighbours without corners, beside each other.
void add_shared_pixels(DigiTable& digis, std::uint32_t module, std::size_t number, Pixel centre,
                       Random& random) {
    struct Step {
        int x, y;
    };
    constexpr std::size_t many = 40;
    constexpr std::array<std::array<Step, 2>, 6> kinds{{{{{-1, 1}, {1, 1}}},
                                                        {{{1, 1}, {-1, 1}}},
                                                        {{{1, -1}, {1, 1}}},
                                                        {{{1, 1}, {1, -1}}},
                                                        {{{1, 0}, {0, 1}}},
                                                        {{{0, 1}, {1, 0}}}}};
    const auto beside = [&](Step step) {
        return Pixel{static_cast<std::uint16_t>(centre.first + step.x),
                     static_cast<std::uint16_t>(centre.second + step.y)};
    };
    const auto& [shared, other] = kinds[number % kinds.size()];
    add(digis, module, centre, random);
    add(digis, module, beside(other), random);
    for (std::size_t i = 0; i < many; ++i) add(digis, module, beside(shared), random);
}

/// One digi with six others around it, five of which touch each other; only the one in the middle connects
/// the sixth, at a corner, with them.
void add_ring(DigiTable& digis, std::uint32_t module, std::size_t number, Pixel centre, Random& random) {
    const int corner_x = number % 2 == 0 ? -1 : 1, corner_y = number / 2 % 2 == 0 ? -1 : 1;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if ((dx == 0 && dy == 0) || (dx == corner_x && dy == corner_y) || dx == -corner_x ||
                dy == -corner_y)
                add(digis, module,
                    {static_cast<std::uint16_t>(centre.first + dx),
                     static_cast<std::uint16_t>(centre.second + dy)},
                    random);
}

/// See EventSpec::critical. As many as there is room for, but few enough for the local memory of a group.
void add_lists(DigiTable& digis, const EventSpec& spec, Random& random) {
    constexpr std::uint32_t spacing = 6, shared = 12, rings = 200;
    const auto module = static_cast<std::uint32_t>(spec.modules);
    for (std::uint32_t i = 0; i < shared + rings && (i + 1) * spacing <= spec.layout.extent_y; ++i) {
        const Pixel centre{static_cast<std::uint16_t>(3), static_cast<std::uint16_t>(i * spacing + 3)};
        if (i < shared)
            add_shared_pixels(digis, module, i, centre, random);
        else
            add_ring(digis, module, i, centre, random);
    }
}

void shuffle(DigiTable& digis, Random& random) {
    for (std::size_t i = digis.size(); i > 1; --i) {
        const std::size_t other = random.next() % i;
        std::swap(digis.module[i - 1], digis.module[other]);
        std::swap(digis.x[i - 1], digis.x[other]);
        std::swap(digis.y[i - 1], digis.y[other]);
        std::swap(digis.adc[i - 1], digis.adc[other]);
    }
}

void require(bool holds, const std::string& message, const char* parameter) {
    if (!holds) throw Error(ErrorKind::input, message, parameter);
}

void require_room(const EventSpec& spec, std::size_t shape_capacity) {
    const std::size_t area = std::size_t{spec.layout.extent_x} * spec.layout.extent_y;
    require(area > 0, "expected at least 1 pixel per module", "extent_x");
    require(spec.events > 0 && spec.modules > 0, "expected at least 1 event and 1 module", "events");
    require(!spec.layout.fixed() || spec.modules <= spec.layout.modules,
            fmt::format("layout {} has {} modules, but {} were requested", spec.layout.id,
                        spec.layout.modules, spec.modules),
            "modules");
    require(!is_critical(spec) || !spec.layout.fixed() || spec.modules < spec.layout.modules,
            fmt::format("layout {} has no module left for critical digis", spec.layout.id), "critical");
    require(!is_critical(spec) || (spec.layout.extent_x >= least_critical_extent &&
                                   spec.layout.extent_y >= least_critical_extent),
            fmt::format("critical digis need modules of at least {0} x {0} pixels", least_critical_extent),
            "critical");
    require(spec.invalid == 0 || !spec.layout.invalid_ids.empty(),
            fmt::format("layout {} has no invalid modules", spec.layout.id), "invalid");
    if (spec.shape != "random") {
        require(share(spec.digis, spec.modules, 0) <= shape_capacity,
                fmt::format("shape {} has at most {} digis in a module of {} x {}, but {} were requested",
                            spec.shape, shape_capacity, spec.layout.extent_x, spec.layout.extent_y,
                            share(spec.digis, spec.modules, 0)),
                "digis");
        return;
    }
    require(spec.clusters > 0 && spec.clusters <= spec.digis,
            fmt::format("expected 1 to {} clusters, found {}", spec.digis, spec.clusters), "clusters");
    require(spec.digis <= spec.modules * area / 2,
            fmt::format("{} digis are more than half of the {} pixels", spec.digis, spec.modules * area),
            "digis");
}

void append(DigiTable& all, DigiTable&& one, std::size_t event, bool events) {
    const auto join = []<class T>(std::vector<T>& to, const std::vector<T>& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    if (events) all.event.resize(all.size() + one.size(), static_cast<std::uint32_t>(event));
    join(all.module, one.module);
    join(all.x, one.x);
    join(all.y, one.y);
    join(all.adc, one.adc);
}

}  // namespace

DigiTable make_events(const EventSpec& spec, Progress& progress) {
    const bool random_shape = spec.shape == "random";
    const std::vector<Pixel> pixels =
        random_shape ? std::vector<Pixel>()
                     : shape_pixels(spec.shape, spec.layout.extent_x, spec.layout.extent_y);
    require_room(spec, pixels.size());
    std::vector<DigiTable> made(spec.events);
    const unsigned threads = compute_threads();
    parallel_for(spec.events, threads, progress, [&](std::size_t event) {
        Random random(spec.seed, event);
        if (random_shape)
            add_random(made[event], spec, random);
        else
            add_shape(made[event], spec, pixels, random);
        add_faults(made[event], spec, random);
        if (spec.critical == "lists")
            add_lists(made[event], spec, random);
        else if (is_critical(spec))
            add_critical(made[event], spec, random);
        if (spec.shuffled) shuffle(made[event], random);
    });
    if (spec.events == 1) return std::move(made.front());
    DigiTable all;
    for (std::size_t event = 0; event < made.size(); ++event)
        append(all, std::exchange(made[event], {}), event, spec.events > 1);
    return all;
}

}  // namespace ks::clusters
