#pragma once

#include <cstdint>
#include <memory>

#include "core/particles/scaling.h"
#include "gpu/particles/kernel_shape.h"

namespace ks::gpu::particles {

/// Sources with the weights of one pass on the device, packed by ks::particles::pack_sources(). They stay
/// there between runs if the problem identifies their content (SumProblem::sources_key). They need not be
/// uploaded again if the wavenumber, the singular kernel, the gradient, or targets in the same box change. If
/// sigma changes, they are packed again: coordinates are rounded in units of sigma, and would be less
/// accurate if they were rounded twice. A million sources took 11 to 20 ms to pack and 3 ms to copy on two
/// busy cores, while a GPU takes at least 100 ms for their sums at half a million targets.
template <class T>
class DeviceSources {
  public:
    /// @param others additional device bytes that the run needs
    DeviceSources(const ks::particles::SumProblem& problem, const ks::particles::Scaling& scaling,
                  const Pass& pass, LaunchContext& context, std::uint64_t others);

    const Buffer& xyzw() const { return *xyzw_; }
    /// The values of a source other than its coordinates and first weight; xyzw() if there are none.
    const Buffer& more() const { return *more_; }

    static std::uint64_t bytes(const ks::particles::SumProblem& problem, const Pass& pass);

  private:
    std::shared_ptr<const Buffer> xyzw_, more_;
};

extern template class DeviceSources<float>;
extern template class DeviceSources<double>;

}  // namespace ks::gpu::particles
