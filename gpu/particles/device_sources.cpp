#include "gpu/particles/device_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/particles/cells.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::particles {
namespace {

using namespace ks::particles;

/// Number of values per source in addition to those in xyzw.
std::size_t others_of(const SumProblem& problem, const Pass& pass) {
    if (pass.cell > 0) return (problem.n_sources() + pass.cell - 1) / pass.cell * 4;
    return (pass.vectors - 1 + (problem.sources().is_complex() ? pass.vectors : 0)) * problem.n_sources();
}

template <class T>
PackedSources<T> packed_sources(const SumProblem& problem, const Scaling& scaling, const Pass& pass) {
    PackedSources<T> packed = pack_sources<T>(problem, scaling, pass.first, pass.vectors);
    if constexpr (std::is_same_v<T, float>)
        if (pass.cell > 0) {
            // Twice the diagonal of a box of that reach.
            const auto widest = static_cast<float>(2 * std::numbers::sqrt3 * problem.reach() * scaling.scale);
            Cells cells = in_cells(packed.xyzw, spatial_order(problem.sources()), pass.cell, widest);
            packed = {std::move(cells.xyzw), std::move(cells.cells)};
        }
    return packed;
}

/// Everything the packed sources depend on.
template <class T>
std::string key_of(const SumProblem& problem, const Scaling& scaling, const Pass& pass) {
    return fmt::format("particles f{} {:a},{:a},{:a} {:a} {:a} {}+{} by {} {}", 8 * sizeof(T),
                       scaling.centre[0], scaling.centre[1], scaling.centre[2], scaling.scale, scaling.weight,
                       pass.first, pass.vectors, pass.cell, problem.sources_key);
}

}  // namespace

template <class T>
std::uint64_t DeviceSources<T>::bytes(const SumProblem& problem, const Pass& pass) {
    return (4 * problem.n_sources() + others_of(problem, pass)) * sizeof(T);
}

template <class T>
DeviceSources<T>::DeviceSources(const SumProblem& problem, const Scaling& scaling, const Pass& pass,
                                LaunchContext& context, std::uint64_t others) {
    DeviceContext& device = context.device();
    const bool stays = !problem.sources_key.empty(), has_more = others_of(problem, pass) > 0;
    const std::string key = key_of<T>(problem, scaling, pass), more_key = key + " more";
    PackedSources<T> packed;
    if (!stays || device.find_resident(key) == nullptr ||
        (has_more && device.find_resident(more_key) == nullptr)) {
        Stopwatch watch;
        packed = packed_sources<T>(problem, scaling, pass);
        add(context.timings(), {"prepare", StageKind::host, watch.lap()});
    }
    if (!stays) {
        device.shrink_resident(context.budget() - std::min(context.budget(), others + bytes(problem, pass)));
        const auto own = [&context](const std::vector<T>& values) {
            return std::make_shared<const Buffer>(context.uploaded<T>("upload sources", values));
        };
        xyzw_ = own(packed.xyzw);
        more_ = has_more ? own(packed.more) : xyzw_;
        return;
    }
    const auto kept = [&](const std::string& name, std::uint64_t numbers, const std::vector<T>& values) {
        const std::uint64_t size = numbers * sizeof(T);
        return resident(
            context, {name, "upload sources", size, sizeof(T), std::as_bytes(std::span(values)), {}}, others);
    };
    xyzw_ = kept(key, 4 * problem.n_sources(), packed.xyzw);
    more_ = has_more ? kept(more_key, others_of(problem, pass), packed.more) : xyzw_;
}

template class DeviceSources<float>;
template class DeviceSources<double>;

}  // namespace ks::gpu::particles
