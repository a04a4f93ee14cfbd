#include "gpu/particles/device_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/run/stopwatch.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::particles {
namespace {

using namespace ks::particles;

/// Numbers of a source that are not in xyzw.
std::size_t others_of(const SumProblem& problem, const Pass& pass) {
    return pass.vectors - 1 + (problem.sources().is_complex() ? pass.vectors : 0);
}

/// Of what the packed sources depend on.
template <class T>
std::string key_of(const SumProblem& problem, const Scaling& scaling, const Pass& pass) {
    return fmt::format("particles f{} {:a},{:a},{:a} {:a} {:a} {}+{} {}", 8 * sizeof(T), scaling.centre[0],
                       scaling.centre[1], scaling.centre[2], scaling.scale, scaling.weight, pass.first,
                       pass.vectors, problem.sources_key);
}

}  // namespace

template <class T>
std::uint64_t DeviceSources<T>::bytes(const SumProblem& problem, const Pass& pass) {
    return (4 + others_of(problem, pass)) * problem.n_sources() * sizeof(T);
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
        packed = pack_sources<T>(problem, scaling, pass.first, pass.vectors);
        add(context.timings(), {"prepare", StageKind::host, watch.lap()});
    }
    if (!stays) {
        device.shrink_resident(context.budget() - std::min(context.budget(), others + bytes(problem, pass)));
        own_xyzw_ = context.uploaded<T>("upload sources", packed.xyzw);
        if (has_more) own_more_ = context.uploaded<T>("upload sources", packed.more);
        xyzw_ = &own_xyzw_;
        more_ = has_more ? &own_more_ : xyzw_;
        return;
    }
    const auto kept = [&](const std::string& name, std::uint64_t numbers, const std::vector<T>& values) {
        const std::uint64_t size = numbers * problem.n_sources() * sizeof(T);
        return &resident(
            context, {name, "upload sources", size, sizeof(T), std::as_bytes(std::span(values)), {}}, others);
    };
    xyzw_ = kept(key, 4, packed.xyzw);
    more_ = has_more ? kept(more_key, others_of(problem, pass), packed.more) : xyzw_;
}

template class DeviceSources<float>;
template class DeviceSources<double>;

}  // namespace ks::gpu::particles
