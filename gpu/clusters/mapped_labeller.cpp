#include <algorithm>

#include "gpu/clusters/labellers.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::clusters {
namespace {

constexpr std::size_t max_short_digis = 65535, max_shares = 8, max_scratch_digis = std::size_t{1} << 26;

/// The pixels of a module in one array: an empty pixel before each column, an empty column before the first
/// and one after the last.
class MappedLabeller : public Labeller {
  public:
    MappedLabeller(const ClusterProblem& problem, LaunchContext& context)
        : problem_(problem),
          pitch_(std::size_t{problem.extent_x()} + 1),
          places_(pitch_ * (std::size_t{problem.extent_y()} + 2) + 3),
          short_places_(problem.shared()->largest_slot() < max_short_digis) {
        auto defines = tuned_defines(context, ElementType::u16);
        units_ = std::max(context.info().compute_units, 1U);
        items_ = number(defines, "ITEMS") * units_;
        defines.erase("ITEMS");
        defines.merge(problem_defines(problem));
        defines["PLACE"] = short_places_ ? "ushort" : "uint";
        kernel_ = context.kernel("cluster_blocks", defines);
    }

    /// The map of each item is not counted: its size is bounded.
    ScratchNeeds needs() const override {
        return {12 + (problem_.cuts_charge() ? sizeof(cl_ulong) : 0), sizeof(cl_uint)};
    }

    void prepare(LaunchContext& context, const std::vector<Chunk>& chunks) override {
        std::size_t blocks = 1;
        for (const Chunk& chunk : chunks) blocks = std::max(blocks, chunk.blocks.size() * shares(chunk));
        for (const ModuleDigis::Block& block : problem_.blocks()) {
            max_rows_ = std::max(max_rows_, block.rows);
            max_slots_ = std::max(max_slots_, block.slots);
        }
        items_ = std::min({items_, blocks, std::max(max_scratch_digis / max_rows_, std::size_t{1})});
        const std::size_t module = std::max(problem_.shared()->largest_slot(), 1U);
        blocks_ = context.buffer(blocks * sizeof(cl_uint4));
        starts_ = context.buffer(items_ * (max_slots_ + 1) * sizeof(cl_uint));
        digis_ = context.buffer(items_ * max_rows_ * sizeof(cl_uint2));
        parents_ = context.buffer(items_ * module * sizeof(cl_uint));
        charges_ = context.buffer((problem_.cuts_charge() ? items_ * module : 1) * sizeof(cl_ulong));
        maps_ = context.zeros(items_ * places_ * (short_places_ ? sizeof(cl_ushort) : sizeof(cl_uint)));
    }
    std::size_t limit() const override { return std::size_t{1} << 31; }

    void enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis) override {
        const std::vector<cl_uint4> blocks = parts_of(chunk);
        context.upload("upload_blocks", blocks_, std::as_bytes(std::span(blocks)));
        const cl_uint4 scratch{{static_cast<cl_uint>(max_slots_ + 1), static_cast<cl_uint>(max_rows_),
                                std::max(problem_.shared()->largest_slot(), 1U),
                                static_cast<cl_uint>(places_)}};
        set_arguments(kernel_, digis.slot(), digis.x(), digis.y(), digis.adc(), digis.cuts(), blocks_,
                      starts_, digis_, parents_, charges_, maps_, digis.labels(),
                      static_cast<cl_uint>(blocks.size()), static_cast<cl_uint>(chunk.first_slot),
                      static_cast<cl_uint>(chunk.first_row), digis.cut_count(), static_cast<cl_uint>(pitch_),
                      scratch);
        context.launch("cluster_blocks", kernel_, {std::min(items_, blocks.size())}, {1},
                       {chunk.rows * 12, 0});
    }

  private:
    /// Number of items that share a block: more than one only if there are fewer blocks than compute units.
    std::size_t shares(const Chunk& chunk) const {
        return std::clamp<std::size_t>(units_ / std::max<std::size_t>(chunk.blocks.size(), 1), 1, max_shares);
    }

    std::vector<cl_uint4> parts_of(const Chunk& chunk) const {
        std::vector<cl_uint4> parts;
        const std::size_t shared = shares(chunk);
        for (const ModuleDigis::Block& block : chunk.blocks)
            for (std::size_t i = 0; i < shared; ++i) {
                const std::size_t from = block.slots * i / shared, end = block.slots * (i + 1) / shared;
                parts.push_back({{static_cast<cl_uint>(block.first_row - chunk.first_row),
                                  static_cast<cl_uint>(block.rows),
                                  static_cast<cl_uint>(block.first_slot - chunk.first_slot + from),
                                  static_cast<cl_uint>(end - from)}});
            }
        return parts;
    }

    const ClusterProblem& problem_;
    std::size_t pitch_, places_;
    bool short_places_;
    std::size_t units_ = 1, items_ = 1, max_rows_ = 1, max_slots_ = 1;
    cl::Kernel kernel_;
    Buffer blocks_, starts_, digis_, parents_, charges_, maps_;
};

}  // namespace

std::unique_ptr<Labeller> make_mapped(const ClusterProblem& problem, LaunchContext& context) {
    return std::make_unique<MappedLabeller>(problem, context);
}

}  // namespace ks::gpu::clusters
