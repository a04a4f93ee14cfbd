#include "gpu/xpcs/gram_finish.h"

#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "gpu/runtime/uploads/staged_upload.h"

namespace ks::gpu::xpcs {
namespace {

constexpr std::size_t quantities = 3;  ///< S S / N, mean, sum of squares about the mean
/// Per diagonal: the sum of G, the number of terms, the quantities.
constexpr std::size_t diagonal_bytes = 2 * sizeof(cl_ulong) + quantities * sizeof(double);
constexpr std::size_t combine_group = 64;

class DeviceFinisher : public TileFinisher {
  public:
    explicit DeviceFinisher(const FinishContext& with)
        : with_(with),
          width_(2 * with.shape.tile),
          part_g_(with.context.buffer(slots() * sizeof(cl_ulong))),
          part_f_(with.context.buffer(slots() * quantities * sizeof(double))),
          part_n_(with.context.buffer(slots() * sizeof(cl_uint))),
          two_time_(with.context.buffer(map_values() * sizeof(double))),
          gram_(with.context.buffer(with.plan.groups_per_launch * gram_bytes(with.shape))),
          tiles_(with.context.kernel("gram_tiles", with.shape.defines)),
          combine_(with.context.kernel(
              "gpu/xpcs/gram_combine.cl", "gram_combine",
              {{"TILE", with.shape.defines.at("TILE")}, {"P_T", with.shape.defines.at("P_T")}})) {
        if (with.plan.bands.size() > 1) tables_.emplace(with.context, plan_of_tables());
    }

    void begin(std::size_t bins) override {
        bins_ = bins;
        totals_ = {};  // first, so that both never exist together
        totals_ = with_.context.zeros(totals() * diagonal_bytes);
    }

    cl::Event run(const TileBatch& batch, const DeviceSlab& a, const DeviceSlab& b) override {
        LaunchContext& context = with_.context;
        const auto groups = table(std::as_bytes(std::span(batch.groups))),
                   runs = table(std::as_bytes(std::span(batch.runs))),
                   order = table(std::as_bytes(std::span(batch.order)));
        set_arguments(tiles_, *groups, a.rows, b.rows, a.sums, b.sums, part_g_, part_f_, part_n_, two_time_,
                      static_cast<cl_uint>(with_.problem.frames()));
        if (with_.shape.planes > 1) set_argument(tiles_, 10, gram_);
        const cl::Event event =
            context.launch("gram tiles", tiles_, {batch.groups.size() * with_.shape.group},
                           {with_.shape.group}, cost(batch));
        set_arguments(combine_, *runs, *order, part_g_, part_f_, part_n_, totals_,
                      static_cast<cl_ulong>(totals()));
        const std::uint64_t moved = batch.order.size() * width_ * (8 + quantities * 8 + 4);
        context.launch("combine", combine_, {width_, batch.runs.size()}, {std::gcd(width_, combine_group), 1},
                       {moved, 0});
        return event;
    }

    GramTotals end() override {
        Array all = with_.context.host_array(ElementType::u64, {totals() * (2 + quantities)});
        with_.context.download("download totals", totals_, all.bytes());
        return {std::move(all), bins_, with_.plan.tile_rows, with_.shape.tile, with_.shape.floats};
    }

    std::vector<double> two_time() override {
        // In a bin without pixels, no tile writes to the map.
        const std::size_t label = with_.problem.two_time_bin();
        if (label > 0 && with_.problem.partition().bin_size(label - 1) == 0)
            return std::vector<double>(map_values(), ks::xpcs::nan_value);
        return with_.context.downloaded<double>("download two-time", two_time_, map_values());
    }

  private:
    /// Nobody waits for tables: meanwhile the frames for the next launch can be staged.
    static StagingPlan plan_of_tables() {
        return {.staged = true, .piece_bytes = std::uint64_t{1} << 20, .pieces = 8, .least_bytes = 0};
    }
    std::shared_ptr<const Buffer> table(std::span<const std::byte> values) {
        constexpr const char* stage = "upload tables";
        if (!tables_) return with_.context.table(stage, values);
        auto made = std::make_shared<const Buffer>(with_.context.buffer(values.size()));
        StagedUpload::Source source = StagedUpload::from_memory(stage, values);
        source.fill_stage = "stage tables";
        tables_->upload(source, *made, 0, values.size());
        return made;
    }
    std::size_t slots() const {
        return with_.plan.groups_per_launch * with_.shape.span * with_.shape.span * width_;
    }
    /// For a group of bins.
    std::size_t totals() const { return bins_ * with_.plan.tile_rows * width_; }
    std::size_t map_values() const {
        return with_.problem.two_time_bin() > 0 ? with_.problem.frames() * with_.problem.frames() : 0;
    }
    Cost cost(const TileBatch& batch) const {
        // every group reads two bands of rows, those of one plane for each product, or all planes once
        const GramShape& shape = with_.shape;
        double read = batch.work / static_cast<double>(shape.side()) * 2.0;
        if (shape.product == GramShape::Product::wgmma)
            read *= static_cast<double>(shape.planes) / static_cast<double>(shape.products());
        return {static_cast<std::uint64_t>(read) * size_of(shape.row_type),
                static_cast<std::uint64_t>(batch.work)};
    }

    FinishContext with_;
    std::size_t width_, bins_ = 0;
    Buffer part_g_, part_f_, part_n_, two_time_, gram_, totals_;
    cl::Kernel tiles_, combine_;
    std::optional<StagedUpload> tables_;
};

}  // namespace

std::unique_ptr<TileFinisher> finish_on_device(const FinishContext& with) {
    return std::make_unique<DeviceFinisher>(with);
}

}  // namespace ks::gpu::xpcs
