#include "gpu/particles/launch.h"

#include <algorithm>
#include <functional>
#include <numbers>
#include <string>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/streamed_copy.h"
#include "core/base/threads.h"
#include "core/particles/analysis.h"
#include "core/particles/treecode/plan.h"
#include "core/particles/treecode/treecode_points.h"
#include "core/particles/treecode/treecode_result.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::particles {
namespace {

using namespace ks::particles;

/// Parameters of the kernels and of the tree.
struct TreecodeShape {
    bool is_explicit;  ///< vectors of targets, for CPUs
    std::size_t group, lanes, items, leaf;

    TreecodeShape(const Defines& defines, Precision precision)
        : is_explicit(defines.at("EXPLICIT") == "1"),
          group(number(defines, "WG")),
          lanes(!is_explicit                  ? 1
                : precision == Precision::f32 ? 16
                                              : 8),
          items(number(defines, "ITEMS")),
          leaf(number(defines, "LEAF")) {}
    std::size_t piece() const { return group * lanes * items; }
};

/// work(i) for i in [0, n).
template <class Work>
void for_all(std::size_t n, const Work& work) {
    constexpr std::size_t at_once = 1024;
    parallel_for((n + at_once - 1) / at_once, compute_threads(), [&](std::size_t some) {
        for (std::size_t i = some * at_once; i < std::min(n, (some + 1) * at_once); ++i) work(i);
    });
}

/// One REAL8 each: the box of a cluster as read by treecode_transfer.cl.
template <class T>
RawVector<T> boxes_of(const ClusterTree& tree) {
    RawVector<T> boxes(8 * tree.clusters.size());
    for_all(tree.clusters.size(), [&](std::size_t c) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            boxes[8 * c + axis] = static_cast<T>(tree.clusters[c].centre[axis]);
            const T half = static_cast<T>(tree.clusters[c].half[axis]);
            boxes[8 * c + 4 + axis] = half > 0 ? 1 / half : T(0);
        }
        boxes[8 * c + 3] = boxes[8 * c + 7] = 0;
    });
    return boxes;
}

/// One uint4 each: its Chebyshev points and what is below it.
RawVector<cl_uint> shapes_of(const ClusterTree& tree, const Proxies& proxies) {
    RawVector<cl_uint> shapes(4 * tree.clusters.size());
    for_all(tree.clusters.size(), [&](std::size_t c) {
        const Cluster& cluster = tree.clusters[c];
        const NodeCounts nodes = proxies.count(c) > 0 ? proxies.nodes[c] : NodeCounts{};
        cl_uint* const to = shapes.data() + 4 * c;
        to[0] = proxies.first[c];
        to[1] =
            nodes[0] | cl_uint{nodes[1]} << 8 | cl_uint{nodes[2]} << 16 | cl_uint{cluster.is_leaf()} << 24;
        to[2] = cluster.is_leaf() ? cluster.first : proxies.first[cluster.child];
        to[3] = cluster.is_leaf() ? cluster.count : proxies.first[cluster.child + 2] - to[2];
    });
    return shapes;
}

/// Chebyshev points and Lagrange factors, 2 max_nodes numbers for each n.
template <class T>
std::vector<T> node_table() {
    std::vector<T> table(2 * max_nodes * (max_nodes + 1));
    for (std::size_t n = 1; n <= max_nodes; ++n)
        for (std::size_t k = 0; k < n; ++k) {
            table[2 * max_nodes * n + k] = static_cast<T>(chebyshev_nodes(n).at[k]);
            table[2 * max_nodes * n + max_nodes + k] = static_cast<T>(chebyshev_nodes(n).weight[k]);
        }
    return table;
}

std::size_t most_nodes(const Proxies& proxies) {
    std::size_t most = 1;
    for (std::size_t c = 0; c < proxies.nodes.size(); ++c)
        if (proxies.count(c) > 0)
            for (const std::uint8_t along : proxies.nodes[c]) most = std::max<std::size_t>(most, along);
    return most;
}

/// Lists cut into pieces of a given number of targets: one uint4 each, and the pairs of each.
struct Pieces {
    RawVector<cl_uint> of;
    RawVector<std::uint64_t> pairs;
};
/// @param targets_of(cluster) its first target and the number of them
template <class TargetsOf>
Pieces pieces_of(const InteractionLists& lists, std::size_t size, const TargetsOf& targets_of) {
    const std::size_t n = lists.clusters.size();
    RawVector<std::size_t> first_of(n + 1);
    first_of[0] = 0;
    for (std::size_t i = 0; i < n; ++i)
        first_of[i + 1] = first_of[i] + (targets_of(lists.clusters[i]).second + size - 1) / size;
    Pieces pieces;
    pieces.of.resize(4 * first_of[n]);
    pieces.pairs.resize(first_of[n]);
    for_all(n, [&](std::size_t i) {
        const auto [first, count] = targets_of(lists.clusters[i]);
        for (std::size_t p = first_of[i], at = 0; at < count; ++p, at += size) {
            const std::size_t some = std::min(size, count - at);
            pieces.of[4 * p] = static_cast<cl_uint>(first + at);
            pieces.of[4 * p + 1] = static_cast<cl_uint>(some);
            pieces.of[4 * p + 2] = lists.start[i];
            pieces.of[4 * p + 3] = lists.start[i + 1];
            pieces.pairs[p] = lists.sources[i] * some;
        }
    });
    return pieces;
}

std::span<const cl_uint> words_of(const RawVector<Span32>& spans) {
    return {reinterpret_cast<const cl_uint*>(spans.data()), 2 * spans.size()};
}

/// Data that a run keeps on the device.
template <class T>
class DeviceTreecode {
  public:
    DeviceTreecode(const SumProblem& problem, LaunchContext& context)
        : problem_(problem),
          context_(context),
          scaling_(scaling_of(problem)),
          defines_(defines_of(problem, context, 1)),
          shape_(defines_, problem.settings().precision),
          slicer_(context, context.info().type == "GPU" ? 5e11 : 2e9) {}

    /// @param idle called once the host has nothing to do but wait for kernels
    Array run(TreecodeSums& sums, const std::function<void()>& idle) {
        Stopwatch watch;
        const unsigned threads = compute_threads();
        sources_ = source_places<T>(problem_, scaling_, threads);
        targets_ = target_places<T>(problem_, scaling_, threads);
        const Resolution resolution(problem_.settings(), scaling_, accuracy_of(problem_.settings()));
        plan_ = plan_treecode(sources_, targets_, resolution, shape_.leaf, threads);
        sums.far_pairs = plan_.far.pairs;
        sums.near_pairs = plan_.near.pairs;
        add(context_.timings(), {"plan", StageKind::host, watch.lap()});
        upload_plan();
        values_ = context_.host_array(element_type_of<T>(), {problem_.n_rows(), problem_.n_targets()});
        const std::vector<Pass> passes = passes_of(SumKernel{}, problem_);
        for (const Pass& pass : passes) {
            upload_sources(pass);
            if (&pass == &passes.back()) idle();
            sum(pass);
            if (&pass == &passes.back()) forget_plan();
            download(pass, sums);
        }
        context_.finish();
        return std::move(values_);
    }

  private:
    std::size_t targets() const { return problem_.n_targets(); }
    std::size_t proxies() const { return plan_.target_proxies.size(); }
    std::size_t rows_of(const Pass& pass) const {
        return pass.vectors * problem_.quantities() * problem_.parts();
    }

    template <class Value>
    Buffer upload(const char* stage, std::span<const Value> values) {
        const Value nothing[16]{};  // buffers must not be empty
        return context_.uploaded<Value>(stage, values.empty() ? std::span<const Value>(nothing) : values);
    }
    /// Lists of the plan; long ones through memory that the device reads directly.
    Buffer upload_list(std::span<const std::byte> list) {
        constexpr std::size_t few = 1 << 20, most = 64 << 20;
        if (list.size() < few || list.size() > most || !context_.device().page_locked())
            return upload("upload lists", list);
        Array copy = context_.host_array(ElementType::u8, {list.size()});
        Stopwatch watch;
        streamed_copy(list, copy.bytes(), compute_threads());
        add(context_.timings(), {"prepare", StageKind::host, watch.lap()});
        return upload("upload lists", std::span<const std::byte>(copy.bytes()));
    }
    template <class Values>
    Buffer upload_list(const Values& values) {
        return upload_list(std::as_bytes(std::span(values)));
    }

    /// Coordinates, padded to whole vectors of LANES.
    Buffer upload_places() {
        const std::size_t n = targets_.size(), at_once = 65536, pieces = (n + at_once - 1) / at_once;
        Stopwatch watch;
        Array all = context_.host_array(element_type_of<T>(), {3 * n + shape_.lanes});
        const std::span<T> to = all.template as<T>();
        parallel_for(3 * pieces, compute_threads(), [&](std::size_t i) {
            const std::size_t axis = i / pieces, begin = i % pieces * at_once,
                              end = std::min(n, begin + at_once);
            const std::span<const T> from = std::span(targets_.of[axis]).subspan(begin, end - begin);
            std::ranges::copy(from, to.begin() + static_cast<std::ptrdiff_t>(axis * n + begin));
        });
        std::ranges::fill(to.last(shape_.lanes), T{0});
        add(context_.timings(), {"prepare", StageKind::host, watch.lap()});
        return upload("upload targets", std::span<const T>(to));
    }

    void upload_plan() {
        Stopwatch watch;
        near_ = pieces_of(plan_.near, shape_.piece(), [this](std::uint32_t c) {
            const Cluster& leaf = plan_.targets.clusters[c];
            return std::pair<std::size_t, std::size_t>(leaf.first, leaf.count);
        });
        far_ = pieces_of(plan_.far, shape_.piece(), [this](std::uint32_t c) {
            return std::pair<std::size_t, std::size_t>(plan_.target_proxies.first[c],
                                                       plan_.target_proxies.count(c));
        });
        const RawVector<T> source_boxes = boxes_of<T>(plan_.sources),
                           target_boxes = boxes_of<T>(plan_.targets);
        const RawVector<cl_uint> source_shapes = shapes_of(plan_.sources, plan_.source_proxies),
                                 target_shapes = shapes_of(plan_.targets, plan_.target_proxies);
        most_nodes_ = std::max(most_nodes(plan_.source_proxies), most_nodes(plan_.target_proxies));
        add(context_.timings(), {"prepare", StageKind::host, watch.lap()});
        places_ = upload_places();
        nodes_ = context_.table("upload lists", node_table<T>());
        source_boxes_ = upload_list(source_boxes);
        target_boxes_ = upload_list(target_boxes);
        source_shapes_ = upload_list(source_shapes);
        target_shapes_ = upload_list(target_shapes);
        near_pieces_ = upload_list(near_.of);
        far_pieces_ = upload_list(far_.of);
        near_spans_ = upload_list(words_of(plan_.near.spans));
        far_spans_ = upload_list(words_of(plan_.far.spans));
        order_ = upload_list(plan_.targets.order);
        proxy_places_ = context_.buffer((3 * proxies() + shape_.lanes) * sizeof(T));
    }

    /// @param gradient of the sums at targets; at Chebyshev points there are only potentials
    cl::Kernel kernel(const char* entry_point, const Pass& pass, bool gradient) {
        Defines defines = defines_;
        for (const char* not_of_kernels : {"LEAF", "GRID"}) defines.erase(not_of_kernels);
        const auto set = [&defines](const char* name, std::size_t value) {
            defines[name] = std::to_string(value);
        };
        set("PLANES", 0);
        set("MAX_NODES", max_nodes);
        // Programs differ in it: few values.
        set("MAX_OF_PLAN", rounded_up(most_nodes_, 8));
        set("STAGE", shape_.is_explicit ? 4 : most_nodes_ > 8 ? 16 : 64);
        set("VECTORS", pass.vectors);
        set("GRADIENT", gradient ? 1 : 0);
        return context_.kernel(entry_point, defines);
    }

    void sum(const Pass& pass) {
        context_.let_wait(64);
        const bool has_far = !plan_.far.clusters.empty();
        const std::size_t parts = problem_.parts(), rows = rows_of(pass);
        out_ = context_.zeros((rows * targets() + shape_.lanes) * sizeof(T));
        skipped_ = context_.zeros(2 * sizeof(cl_uint));
        if (has_far) {
            gather(pass);
            sums_ = context_.zeros((pass.vectors * parts * proxies() + shape_.lanes) * sizeof(T));
            cl::Kernel far = kernel("sum_lists", pass, false);
            sum_lists("far", far, far_, weights_, more_weights_, proxy_places_, sums_, far_pieces_,
                      far_spans_, proxies(), false);
            hand_down(pass);
        }
        cl::Kernel near = kernel("sum_lists", pass, problem_.settings().gradient);
        sum_lists("near", near, near_, xyzw_, more_, places_, out_, near_pieces_, near_spans_, targets(),
                  true);
    }

    /// Releases host memory while kernels run.
    void forget_plan() {
        const LaunchContext::Overhead overhead(context_, "clean up");
        plan_ = {};
        sources_ = {};
        targets_ = {};
        near_ = far_ = {};
    }

    void upload_sources(const Pass& pass) {
        Stopwatch watch;
        const std::size_t n = problem_.n_sources();
        others_ = numbers_beside(problem_, pass.vectors);
        Array xyzw = context_.host_array(element_type_of<T>(), {4 * n}),
              more = context_.host_array(element_type_of<T>(), {others_ * n});
        watch.lap();
        pack_in_order<T>(problem_, scaling_, sources_, plan_.sources.order, pass.first, pass.vectors,
                         xyzw.template as<T>(), more.template as<T>(), compute_threads());
        add(context_.timings(), {"prepare", StageKind::host, watch.lap()});
        xyzw_ = upload("upload sources", std::span<const T>(xyzw.template as<T>()));
        more_ = upload("upload sources", std::span<const T>(more.template as<T>()));
    }

    /// One group per cluster of [begin, end).
    void launch_clusters(const char* stage, const cl::Kernel& kernel, std::size_t begin, std::size_t end) {
        context_.launch(stage, kernel, cl::NDRange((end - begin) * shape_.group), cl::NDRange(shape_.group),
                        {}, cl::NDRange(begin * shape_.group));
    }

    void gather(const Pass& pass) {
        const std::size_t points = std::max<std::size_t>(1, plan_.source_proxies.size());
        weights_ = context_.buffer(4 * points * sizeof(T));
        more_weights_ = context_.buffer(std::max<std::size_t>(1, others_) * points * sizeof(T));
        cl::Kernel gather = kernel("gather_weights", pass, false);
        set_arguments(gather, source_boxes_, source_shapes_, *nodes_, xyzw_, more_, weights_, more_weights_);
        const std::vector<std::uint32_t>& levels = plan_.sources.levels;
        for (std::size_t level = levels.size() - 1; level-- > 0;)
            if (plan_.source_proxies.first[levels[level + 1]] > plan_.source_proxies.first[levels[level]])
                launch_clusters("weights of clusters", gather, levels[level], levels[level + 1]);
        cl::Kernel place = kernel("place_proxies", pass, false);
        set_arguments(place, target_boxes_, target_shapes_, *nodes_, proxy_places_,
                      static_cast<cl_uint>(proxies()));
        launch_clusters("place points", place, 0, plan_.targets.clusters.size());
    }

    void hand_down(const Pass& pass) {
        cl::Kernel down = kernel("hand_down", pass, false);
        set_arguments(down, target_boxes_, target_shapes_, *nodes_, proxy_places_, sums_,
                      static_cast<cl_uint>(proxies()));
        const std::vector<std::uint32_t>& levels = plan_.targets.levels;
        for (std::size_t level = 0; level + 2 < levels.size(); ++level)
            if (plan_.target_proxies.first[levels[level + 1]] > plan_.target_proxies.first[levels[level]])
                launch_clusters("hand down", down, levels[level], levels[level + 1]);
        cl::Kernel spread = kernel("spread_sums", pass, problem_.settings().gradient);
        set_arguments(spread, target_boxes_, target_shapes_, *nodes_, places_, sums_, out_,
                      static_cast<cl_uint>(proxies()), static_cast<cl_uint>(targets()),
                      static_cast<cl_uint>(targets()), static_cast<T>(scaling_.scale));
        launch_clusters("spread to targets", spread, 0, plan_.targets.clusters.size());
    }

    /// All pieces, in launches of as many as the time allows, but enough to keep the device busy.
    void sum_lists(const char* stage, cl::Kernel& kernel, const Pieces& pieces, const Buffer& sources,
                   const Buffer& more, const Buffer& places, const Buffer& out, const Buffer& of_pieces,
                   const Buffer& spans, std::size_t targets, bool adds) {
        set_arguments(kernel, sources, more, places, out, skipped_, of_pieces, spans,
                      static_cast<cl_uint>(targets), static_cast<cl_uint>(targets), cl_uint{adds},
                      static_cast<T>(scaling_.turns), static_cast<T>(2 * std::numbers::pi * scaling_.turns),
                      static_cast<T>(scaling_.slope));
        const std::size_t busy = std::size_t{context_.info().compute_units} * 16;
        for (std::size_t from = 0; from < pieces.pairs.size();) {
            std::uint64_t pairs = 0;
            std::size_t end = from;
            while (end < pieces.pairs.size() &&
                   (end - from < busy || static_cast<double>(pairs) < slicer_.units()))
                pairs += pieces.pairs[end++];
            const cl::Event event =
                context_.launch(stage, kernel, cl::NDRange((end - from) * shape_.group),
                                cl::NDRange(shape_.group), {0, pairs}, cl::NDRange(from * shape_.group));
            if (from > 0 || end < pieces.pairs.size()) {
                event.wait();
                slicer_.took(static_cast<double>(pairs), duration(event));
            }
            from = end;
            context_.progress().report(static_cast<double>(from) / static_cast<double>(pieces.pairs.size()),
                                       stage);
        }
    }

    void download(const Pass& pass, TreecodeSums& sums) {
        cl::Kernel back = kernel("sort_back", pass, problem_.settings().gradient);
        const Buffer in_rows = context_.buffer(rows_of(pass) * targets() * sizeof(T));
        set_arguments(back, out_, order_, in_rows, static_cast<cl_uint>(targets()));
        context_.launch("sort back", back, cl::NDRange(rounded_up(targets(), shape_.group)),
                        cl::NDRange(shape_.group), {});
        std::vector<LaunchContext::Read> reads;
        reads.reserve(rows_of(pass) + 1);
        const std::size_t first = rows_of({0, pass.first});
        for (std::size_t row = 0; row < rows_of(pass); ++row)
            reads.push_back({in_rows,
                             std::as_writable_bytes(
                                 values_.template as<T>().subspan((first + row) * targets(), targets())),
                             row * targets() * sizeof(T)});
        std::array<cl_uint, 2> counted{};
        reads.push_back({skipped_, std::as_writable_bytes(std::span(counted))});
        context_.download("download sums", reads);
        // Every pass has the same pairs.
        sums.skipped = std::uint64_t{counted[1]} << 32 | counted[0];
    }

    const SumProblem& problem_;
    LaunchContext& context_;
    Scaling scaling_;
    Defines defines_;
    TreecodeShape shape_;
    Slicer slicer_;
    TreecodePlan plan_;
    Coordinates<T> sources_, targets_;
    Pieces near_, far_;
    std::size_t others_ = 0;      ///< numbers per source besides its first weight
    std::size_t most_nodes_ = 1;  ///< Chebyshev points per axis of a cluster
    std::shared_ptr<const Buffer> nodes_;
    Buffer places_, proxy_places_, source_boxes_, target_boxes_, source_shapes_, target_shapes_, near_pieces_,
        far_pieces_, near_spans_, far_spans_, order_;
    Buffer xyzw_, more_, weights_, more_weights_, sums_, out_, skipped_;
    Array values_;
};

}  // namespace

Result launch_treecode(const SumProblem& problem, LaunchContext& context) {
    context.require(traits_of(problem));
    require_whole(problem, context.variant().id, "it builds a tree of all targets");
    accuracy_of(problem.settings());  // an unreachable tolerance is refused before anything is summed
    // If kernels do not run on the CPU, the host computes its sample concurrently.
    Pending<DirectSample> beside_kernels;
    const auto idle = [&] {
        if (context.info().type == "GPU")
            beside_kernels = beside([&] { return direct_sample(problem, context.progress()); });
    };
    TreecodeSums sums;
    sums.values = problem.settings().precision == Precision::f32
                      ? DeviceTreecode<float>(problem, context).run(sums, idle)
                      : DeviceTreecode<double>(problem, context).run(sums, idle);
    Stopwatch watch;
    const DirectSample sample =
        beside_kernels.valid() ? beside_kernels.get() : direct_sample(problem, context.progress());
    Result result = treecode_result(problem, sums, sample, context.timings());
    add(context.timings(), {"measure error", StageKind::host, watch.lap()});
    return result;
}

}  // namespace ks::gpu::particles
