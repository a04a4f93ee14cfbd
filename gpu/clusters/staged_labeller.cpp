#include <algorithm>

#include "gpu/clusters/general_path.h"
#include "gpu/clusters/grouping.h"
#include "gpu/clusters/labellers.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::clusters {
namespace {

constexpr std::size_t near_max = 10, max_bins = 2048, max_turns = 16;
/// Size of the duplicates' map: 160 x 416 pixels of 2 bits, as published.
constexpr std::size_t pixels_per_word = 16, map_words = 160 * 416 / pixels_per_word;

class StagedLabeller : public Labeller {
  public:
    StagedLabeller(const ClusterProblem& problem, LaunchContext& context)
        : problem_(problem),
          defines_(tuned_defines(context, ElementType::u16)),
          limit_(allowed_limit(context)),
          grouping_(context),
          general_(problem, limit_, context) {
        groups_ = number(defines_, "GROUPS");
        defines_.erase("GROUPS");
        complete_defines(context);
        group_ = number(defines_, "WG");
        duplicates_ = context.kernel("find_duplicates", defines_);
        sort_ = context.kernel("sort_columns", defines_);
        list_ = context.kernel("list_neighbours", defines_);
        propagate_ = context.kernel("propagate", defines_);
        renumber_ = context.kernel("renumber", defines_);
        cut_ = context.kernel("cut_charge", defines_);
    }

    ScratchNeeds needs() const override {
        const ScratchNeeds one = Grouping::needs(), other = general_.needs();
        const std::uint64_t own = (1 + near_max) * sizeof(cl_ushort) + sizeof(cl_uchar) + 2 * sizeof(cl_int);
        return {one.per_row + other.per_row + own, one.per_slot + other.per_slot};
    }
    void prepare(LaunchContext& context, const std::vector<Chunk>& chunks) override {
        const std::size_t rows = LargestChunk(chunks).rows;
        grouping_.prepare(context, chunks);
        general_.prepare(context, chunks);
        order_ = context.buffer(rows * sizeof(cl_ushort));
        near_ = context.buffer(rows * near_max * sizeof(cl_ushort));
        near_count_ = context.buffer(rows * sizeof(cl_uchar));
        cluster_ = context.buffer(rows * sizeof(cl_int));
        sums_ = context.buffer(rows * sizeof(cl_uint));
    }
    std::size_t limit() const override { return limit_; }

    void enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis) override {
        if (chunk.slots > 0) {
            grouping_.enqueue(context, chunk, digis, limit_, limit_);
            launch_stages(context, chunk, digis);
        }
        general_.enqueue(context, chunk, digis, grouping_.counts());
    }

  private:
    std::size_t allowed_limit(const LaunchContext& context) const {
        return std::min<std::size_t>(number(defines_, "LIMIT"),
                                     context.info().local_bytes / sizeof(cl_int) - 64);
    }

    void complete_defines(const LaunchContext& context) {
        const auto set = [this](const char* name, std::size_t value) {
            defines_[name] = std::to_string(value);
        };
        defines_.merge(problem_defines(problem_));
        set("LIMIT", limit_);
        set("BINS", max_bins);
        while (((columns_ - 1) >> shift_) + 1 > max_bins) ++shift_;
        // columns of the duplicates' map that fit at once, and how often it is filled to cover all of them
        const std::size_t words = std::min(map_words, (context.info().local_bytes - 256) / sizeof(cl_uint));
        map_columns_ = std::min(words * pixels_per_word / pixels_, columns_);
        const bool pairwise = map_columns_ == 0 || (columns_ + map_columns_ - 1) / map_columns_ > max_turns;
        if (pairwise) set("PAIRWISE", 1);
        set("MAP_WORDS", words);
    }

    void launch_stages(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis) {
        const auto first_row = static_cast<cl_uint>(chunk.first_row),
                   first_slot = static_cast<cl_uint>(chunk.first_slot);
        const Buffer& grouped = grouping_.grouped();
        const auto shift = static_cast<cl_uint>(shift_),
                   bins = static_cast<cl_uint>(((columns_ - 1) >> shift_) + 1);
        if (problem_.drops_duplicates())
            launch(context, chunk, "find_duplicates", duplicates_, grouped, static_cast<cl_uint>(columns_),
                   static_cast<cl_uint>(pixels_), static_cast<cl_uint>(map_columns_));
        launch(context, chunk, "sort_columns", sort_, grouped, order_, bins, shift);
        launch(context, chunk, "list_neighbours", list_, grouped, order_, near_, near_count_, shift);
        launch(context, chunk, "propagate", propagate_, grouped, order_, near_, near_count_, cluster_, shift);
        launch(context, chunk, "renumber", renumber_, grouped, cluster_, sums_, digis.labels(), first_row);
        if (problem_.cuts_charge())
            launch(context, chunk, "cut_charge", cut_, grouped, cluster_, sums_, digis.labels(), digis.adc(),
                   digis.cuts(), digis.cut_count(), first_slot);
    }

    void launch(LaunchContext& context, const Chunk& chunk, const char* stage, cl::Kernel& kernel,
                const auto&... further) {
        set_arguments(kernel, grouping_.starts(), grouping_.counts(), static_cast<cl_uint>(chunk.slots),
                      further...);
        context.launch(stage, kernel, {std::min(chunk.slots, groups_) * group_}, {group_},
                       {chunk.rows * 12, 0});
    }

    const ClusterProblem& problem_;
    std::map<std::string, std::string> defines_;
    std::size_t limit_, group_ = 1, groups_ = 1, shift_ = 0, map_columns_ = 0;
    std::size_t columns_ = std::max(problem_.extent_y(), 1U), pixels_ = std::max(problem_.extent_x(), 1U);
    Grouping grouping_;
    GeneralPath general_;
    cl::Kernel duplicates_, sort_, list_, propagate_, renumber_, cut_;
    Buffer order_, near_, near_count_, cluster_, sums_;
};

}  // namespace

std::unique_ptr<Labeller> make_staged(const ClusterProblem& problem, LaunchContext& context) {
    return std::make_unique<StagedLabeller>(problem, context);
}

}  // namespace ks::gpu::clusters
