#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/devices/ceilings.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// "float16"; "float" for one lane.
std::string vector_type(const std::string& type, std::size_t lanes);

/// Measures one quantity after the other on a device and collects them.
class CeilingMeter {
  public:
    CeilingMeter(DeviceContext& device, const CeilingsPlan& plan, Progress& progress);
    Ceilings measure();

  private:
    using Defines = std::map<std::string, std::string>;
    /// Nanoseconds that `units` of work take.
    using Launch = std::function<std::uint64_t(std::uint64_t units)>;
    /// A kernel of CHAINS_OF (ceilings.cl), the number of operations in one step of one lane, and the steps
    /// per round.
    struct Chain {
        const char *entry_point, *description;
        double each, unroll;
    };

    // ceilings.cpp
    void require_memory() const;
    cl::Kernel kernel(const char* entry_point, const char* type, std::size_t lanes, Defines more = {});
    std::uint64_t timed(const cl::Kernel& kernel, std::size_t groups);
    /// Reports to the progress that a quantity begins.
    void begin(const char* id);
    /// The number of units, up to `maximum`, that takes some 10 ms.
    static std::uint64_t fitting(const Launch& launch, std::uint64_t maximum);
    /// Rates in `each` per unit and second. keep() gets the name of the quantity.
    Ceiling rates(const Launch& launch, std::uint64_t maximum, double each) const;
    void keep(Ceiling&& ceiling, const char* id, const char* label, const char* unit, std::string sample);
    std::string program_hash() const;
    // ceilings_memory.cpp
    void measure_memory();
    void measure_transfers();
    /// Local, private and constant memory.
    void measure_spaces();
    /// Measures reads from one of these. @param window number of vectors among which the reads of a work-item
    /// move
    void measure_space(const char* id, const char* label, const char* entry_point, std::size_t window,
                       const char* where);
    /// A buffer that is filled with 1, since memory that was never written may not be backed by pages.
    Buffer filled(std::uint64_t bytes);
    // ceilings_arithmetic.cpp
    void measure_arithmetic();
    /// Only where PTX builds.
    void measure_units_of_nvidia();
    void measure_launches();
    /// Keeps the rates of the fastest of the chains.
    template <class Real>
    void measure_chains(const char* id, const char* label, const char* unit, const std::vector<Chain>& some);

    std::size_t group() const { return processor_ ? 1 : 256; }
    std::size_t chains() const { return processor_ ? 10 : 8; }
    std::size_t vectors_each() const { return processor_ ? 1024 : 8; }
    std::size_t lanes_of_memory() const { return processor_ ? lanes_f32_ : 4; }
    std::uint64_t bytes_of_group() const {
        return group() * vectors_each() * lanes_of_memory() * sizeof(cl_float);
    }
    /// Many more groups than fit the device at once, so that the idle time at the end is negligible.
    std::size_t groups_of_chains() const { return std::size_t{context_.info().compute_units} * 64; }

    static constexpr std::size_t warm_ups = 2;

    CeilingsPlan plan_;
    Progress& progress_;
    Run run_;  ///< takes the builds and timings of the launches
    LaunchContext context_;
    bool processor_;  ///< without units for functions, and with vectors to be named
    std::size_t lanes_f32_ = 1, lanes_f64_ = 1, lanes_f16_ = 2;
    std::size_t begun_ = 0;
    Ceilings measured_;
};

}  // namespace ks::gpu
