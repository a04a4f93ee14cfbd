#include <algorithm>
#include <chrono>
#include <limits>

#include "gpu/xpcs/gram_finish.h"

namespace ks::gpu::xpcs {
namespace {

/// For devices without double precision: downloads tiles of G to the host, which computes ratios and sums in
/// double.
class HostFinisher : public TileFinisher {
  public:
    explicit HostFinisher(const FinishContext& with)
        : with_(with),
          gram_(with.context.buffer(with.plan.groups_per_launch * with.shape.tile * with.shape.tile *
                                    with.shape.g_bytes())),
          kernel_(with.context.kernel("gram_tiles", with.shape.defines)),
          totals_(0, 0, with.shape.tile) {
        if (with.problem.two_time_bin() > 0)
            map_.assign(with.problem.frames() * with.problem.frames(),
                        std::numeric_limits<double>::quiet_NaN());
    }

    void begin(std::size_t bins) override {
        totals_ = GramTotals(bins, with_.plan.tile_rows, with_.shape.tile);
    }

    cl::Event run(const TileBatch& batch, const DeviceSlab& a, const DeviceSlab& b) override {
        LaunchContext& context = with_.context;
        const auto tiles = context.table("upload tables", batch.groups);
        set_arguments(kernel_, *tiles, a.rows, b.rows, a.sums, b.sums, gram_);
        const cl::Event event =
            context.launch("gram tiles", kernel_, {batch.groups.size() * with_.shape.group},
                           {with_.shape.group}, {0, static_cast<std::uint64_t>(batch.work)});
        const std::size_t values = batch.groups.size() * with_.shape.tile * with_.shape.tile;
        if (with_.shape.g_bytes() == 8)
            take(batch, context.downloaded<cl_ulong>("download tiles", gram_, values), a, b);
        else
            take(batch, context.downloaded<cl_uint>("download tiles", gram_, values), a, b);
        return event;
    }

    GramTotals end() override { return totals_; }
    std::vector<double> two_time() override { return map_; }

  private:
    template <class G>
    void take(const TileBatch& batch, const std::vector<G>& gram, const DeviceSlab& a, const DeviceSlab& b) {
        const auto start = std::chrono::steady_clock::now();
        const std::size_t tile = with_.shape.tile;
        for (const cl_uint4& run : batch.runs)
            for (cl_uint i = 0; i < run.s[1]; ++i) {
                const cl_uint slot = batch.order[run.s[0] + i];
                const std::size_t bin = run.s[2] / with_.plan.tile_rows,
                                  diagonal = run.s[2] % with_.plan.tile_rows;
                take_tile(batch.groups[slot], gram.data() + std::size_t{slot} * tile * tile, a, b, bin,
                          diagonal);
            }
        const auto spent = (std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1);
        add(with_.context.timings(), {"diagonal sums", StageKind::host, static_cast<std::uint64_t>(spent)});
    }

    template <class G>
    void take_tile(const TileDescriptor& d, const G* g, const DeviceSlab& a, const DeviceSlab& b,
                   std::size_t bin, std::size_t diagonal) {
        const std::size_t tile = with_.shape.tile, frames = with_.problem.frames();
        for (std::size_t k = d.t1 == d.t2 ? tile - 1 : 0; k < 2 * tile - 1; ++k) {
            const std::size_t first = k < tile - 1 ? tile - 1 - k : 0,
                              stop = k < tile - 1 ? tile : 2 * tile - 1 - k;
            DiagonalPart part;
            std::uint64_t sum = 0;
            double pivot = 0, from_sum = 0, squares = 0;
            for (std::size_t i = first; i < stop; ++i) {
                const std::size_t j = i + k - (tile - 1);
                const auto sa = static_cast<double>(a.host_sums[d.sa + i]),
                           sb = static_cast<double>(b.host_sums[d.sb + j]);
                sum += g[i * tile + j];
                part.ss_over_n += sa * sb / d.pixels;
                if (sa * sb == 0) continue;
                const double c = static_cast<double>(g[i * tile + j]) * d.pixels / (sa * sb);
                if (part.terms == 0) pivot = c;
                from_sum += c - pivot;
                squares += (c - pivot) * (c - pivot);
                ++part.terms;
                if (d.two_time && d.t1 + i < frames && d.t2 + j < frames) {
                    map_[(d.t1 + i) * frames + d.t2 + j] = c;
                    map_[(d.t2 + j) * frames + d.t1 + i] = c;
                }
            }
            const double n = static_cast<double>(part.terms);
            part.g = static_cast<double>(sum);
            part.mean = part.terms > 0 ? pivot + from_sum / n : 0;
            part.m2 = part.terms > 0 ? std::max(squares - from_sum * (from_sum / n), 0.0) : 0;
            totals_.at(bin, diagonal, k).merge(part);
        }
    }

    FinishContext with_;
    Buffer gram_;
    cl::Kernel kernel_;
    GramTotals totals_;
    std::vector<double> map_;
};

}  // namespace

std::unique_ptr<TileFinisher> finish_on_host(const FinishContext& with) {
    return std::make_unique<HostFinisher>(with);
}

}  // namespace ks::gpu::xpcs
