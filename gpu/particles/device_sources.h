#pragma once

#include <cstdint>
#include <memory>

#include "core/particles/scaling.h"
#include "gpu/particles/kernel_shape.h"

namespace ks::gpu::particles {

/// Sources with the weights of one pass on the device, packed as ks::particles::pack_sources() does. They
/// stay there between runs where the problem names their content (SumProblem::sources_key): wavenumber,
/// singular kernel, gradient, and targets in the same box may change without another upload. Another sigma
/// packs them anew, since coordinates are rounded in units of it, and twice rounded they would be less exact:
/// a million took 11 to 20 ms to pack and 3 ms to copy on two busy cores, where their sums at half a million
/// targets take a GPU 100 ms at least.
template <class T>
class DeviceSources {
  public:
    /// @param others bytes on the device that the run needs beside them
    DeviceSources(const ks::particles::SumProblem& problem, const ks::particles::Scaling& scaling,
                  const Pass& pass, LaunchContext& context, std::uint64_t others);

    const Buffer& xyzw() const { return *xyzw_; }
    /// What a source has beside its coordinates and first weight; xyzw() where that is nothing.
    const Buffer& more() const { return *more_; }

    static std::uint64_t bytes(const ks::particles::SumProblem& problem, const Pass& pass);

  private:
    std::shared_ptr<const Buffer> xyzw_, more_;
};

extern template class DeviceSources<float>;
extern template class DeviceSources<double>;

}  // namespace ks::gpu::particles
