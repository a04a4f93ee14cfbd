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

/// Memory of a device: what runs hold of it, and buffers that they gave back, which later ones take again. To
/// make and to free a buffer costs a driver some microseconds each, and more where its pages are new.
class DeviceMemory {
  public:
    /// @param keeps bytes of buffers that were given back, at most
    /// @param on_host the device works in the host's memory: buffers may be borrowed from there
    DeviceMemory(cl::Context context, std::uint64_t keeps, bool on_host = false);

    bool on_host() const { return on_host_; }

    /// Bytes of buffers that live now.
    std::uint64_t held() const { return held_; }
    /// And at most, since the run began.
    std::uint64_t peak() const { return peak_; }

    /// @param keeps false: nothing is kept, since the run's memory has a limit
    void begin_run(bool keeps);
    /// Buffers that are made from now on lie between guard zones and are never taken again; null: no longer.
    void guard(std::shared_ptr<GuardZones> zones) { zones_ = std::move(zones); }
    /// Of the guarded run under way; null in others.
    const std::shared_ptr<GuardZones>& zones() const { return zones_; }
    /// What the run gave back may be taken again. All queues are idle.
    void end_run();
    /// The same where commands may still use what was given back: it is freed once they are done.
    void abandon_run();

    /// From now on buffers that are made or borrowed are collected too, until null is given: a recording
    /// keeps them.
    void collect(std::vector<cl::Buffer>* made) { collected_ = made; }
    /// Whoever collected them lets them go. Until then no run takes them again.
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
    void shrink(std::uint64_t bytes);
    void note(const cl::Buffer& made);

    cl::Context context_;
    std::uint64_t keeps_, held_ = 0, peak_ = 0;
    bool on_host_, keeping_ = false;
    std::vector<Free> given_;  ///< in this run: commands may still use them
    std::uint64_t given_bytes_ = 0;
    std::list<Free> free_;  ///< given last, first
    std::uint64_t free_bytes_ = 0;
    std::vector<cl::Buffer>* collected_ = nullptr;
    std::set<cl_mem> held_back_;  ///< what recordings keep
    std::shared_ptr<GuardZones> zones_;
};

/// A device buffer whose size is counted while it lives. Its content is undefined at first.
class Buffer {
  public:
    Buffer() = default;
    /// Throws cl::Error.
    Buffer(std::shared_ptr<DeviceMemory> memory, std::uint64_t bytes);
    /// The host's memory itself, for a device that works there (on_host()) and only reads it. Its owner lives
    /// as long as the buffer. Throws cl::Error.
    Buffer(std::shared_ptr<DeviceMemory> memory, std::span<const std::byte> bytes,
           std::shared_ptr<const void> owner);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    const cl::Buffer& cl() const { return buffer_; }
    std::uint64_t bytes() const { return bytes_; }
    explicit operator bool() const { return bytes_ > 0; }
    /// The zones around it; null where it has none.
    const std::shared_ptr<GuardZones>& zones() const { return zones_; }

  private:
    void release();

    cl::Buffer buffer_;
    std::uint64_t bytes_ = 0;
    bool borrowed_ = false;
    std::shared_ptr<GuardZones> zones_;
    std::shared_ptr<DeviceMemory> memory_;
};

/// Device memory of an object that is no Buffer, such as an image: counted like a buffer's while it lives.
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
