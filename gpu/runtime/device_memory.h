#pragma once

#include <CL/opencl.hpp>
#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "gpu/runtime/guard_zones.h"

namespace ks::gpu {

/// Memory of a device: the buffers of runs, and released buffers, which later runs reuse. For a driver,
/// creating or freeing a buffer takes some microseconds, and more if its pages are new.
class DeviceMemory {
  public:
    /// @param keeps maximum bytes of released buffers
    /// @param on_host the device works in the host's memory: buffers may be borrowed from there
    DeviceMemory(cl::Context context, std::uint64_t keeps, bool on_host = false);

    bool on_host() const { return on_host_; }

    /// Bytes of buffers that exist now.
    std::uint64_t held() const { return held_; }
    /// The maximum of held() since the run began, without what is kept for other runs.
    std::uint64_t peak() const { return peak_; }
    /// How much of held() is kept for other runs, until another amount is set.
    void keeps_for_others(std::uint64_t bytes);

    /// @param keeps false: nothing is kept, since the run's memory is limited
    void begin_run(bool keeps);
    /// Buffers made from now on get guard zones and are never reused; null: no longer.
    void guard(std::shared_ptr<GuardZones> zones) { zones_ = std::move(zones); }
    /// The zones of the current guarded run; null in other runs.
    const std::shared_ptr<GuardZones>& zones() const { return zones_; }
    /// What the run released may be reused. All queues are idle.
    void end_run();
    /// The same if commands may still use what the run released: it is then freed once they are done.
    void abandon_run();

    /// From now on, until null is passed, buffers that are made or borrowed are also collected here, so that
    /// a recording can keep them.
    void collect(std::vector<cl::Buffer>* made) { collected_ = made; }
    /// Releases collected buffers. Until then no run reuses them.
    void let_go(const std::vector<cl::Buffer>& made);

  private:
    friend class Buffer;
    friend class HeldBytes;
    struct Free {
        std::uint64_t bytes;
        cl::Buffer buffer;
    };
    cl::Buffer take(std::uint64_t bytes);
    void give(std::uint64_t bytes, cl::Buffer buffer);
    cl::Buffer borrow(std::span<const std::byte> memory, std::shared_ptr<const void> owner);
    void no_longer_hold(std::uint64_t bytes) { held_ -= bytes; }
    void hold(std::uint64_t bytes);
    void see_peak();
    void shrink(std::uint64_t bytes);
    void note(const cl::Buffer& made);

    cl::Context context_;
    std::uint64_t keeps_, held_ = 0, peak_ = 0, of_others_ = 0;
    bool on_host_, keeping_ = false;
    std::vector<Free> given_;  ///< in this run: commands may still use them
    std::uint64_t given_bytes_ = 0;
    std::list<Free> free_;  ///< most recently released first
    std::uint64_t free_bytes_ = 0;
    std::vector<cl::Buffer>* collected_ = nullptr;
    std::set<cl_mem> held_back_;  ///< what recordings keep
    std::shared_ptr<GuardZones> zones_;
};

/// A device buffer whose size counts as held while it lives. Its initial content is undefined.
class Buffer {
  public:
    Buffer() = default;
    /// Throws cl::Error.
    Buffer(std::shared_ptr<DeviceMemory> memory, std::uint64_t bytes);
    /// Wraps host memory, for a device that works there (on_host()) and only reads it. Its owner lives as
    /// long as the buffer. Throws cl::Error.
    Buffer(std::shared_ptr<DeviceMemory> memory, std::span<const std::byte> bytes,
           std::shared_ptr<const void> owner);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    const cl::Buffer& cl() const { return buffer_; }
    std::uint64_t bytes() const { return bytes_; }
    explicit operator bool() const { return bytes_ > 0; }
    /// The zones around it; null without any.
    const std::shared_ptr<GuardZones>& zones() const { return zones_; }

  private:
    void release();

    cl::Buffer buffer_;
    std::uint64_t bytes_ = 0;
    bool borrowed_ = false;
    std::shared_ptr<GuardZones> zones_;
    std::shared_ptr<DeviceMemory> memory_;
};

/// Device memory of an object other than a Buffer, such as an image: counted like a buffer's while it lives.
class HeldBytes {
  public:
    HeldBytes(std::shared_ptr<DeviceMemory> memory, std::uint64_t bytes);
    ~HeldBytes();
    HeldBytes(HeldBytes&& other) noexcept = default;
    HeldBytes(const HeldBytes&) = delete;
    HeldBytes& operator=(const HeldBytes&) = delete;

  private:
    std::shared_ptr<DeviceMemory> memory_;  ///< null once moved from
    std::uint64_t bytes_;
};

}  // namespace ks::gpu
