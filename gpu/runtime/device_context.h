#pragma once

#include <CL/opencl.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/devices/device_info.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/device_query.h"
#include "gpu/runtime/page_locked.h"
#include "gpu/runtime/program_cache.h"
#include "gpu/runtime/table_cache.h"

namespace ks::gpu {

/// The version of OpenCL C that programs are compiled as, where a variant does not ask for another.
inline constexpr const char* opencl_c_12 = "CL1.2";

/// A device in use: context, queue, programs, and data that stay on it between runs (least recently used go
/// first).
class DeviceContext {
  public:
    explicit DeviceContext(const FoundDevice& found);

    const DeviceInfo& info() const { return info_; }
    const cl::Context& context() const { return context_; }
    const cl::Device& device() const { return device_; }
    const cl::CommandQueue& queue() const { return queue_; }
    ProgramCache& programs() { return programs_; }
    const std::shared_ptr<DeviceMemory>& memory() const { return memory_; }
    TableCache& tables() { return tables_; }
    /// Null where the device shares the host's memory, so that transfers are plain copies.
    const std::shared_ptr<PageLockedMemory>& page_locked() const { return page_locked_; }
    /// Memory of the host for transfers: page-locked where the device has such, and some is left.
    std::shared_ptr<std::byte[]> staging(std::size_t bytes) const;

    /// Bytes that a run may hold where it gives no limit: 4/5 of a GPU's memory, half of the others'.
    /// @param device as the run knows it, which may have a part of the memory
    static std::uint64_t default_budget(const DeviceInfo& device);

    /// Sends an empty kernel to a GPU, without waiting: one that had nothing to do for a millisecond takes
    /// some microseconds to wake, which it may do while the host prepares a run. Nothing where the device is
    /// awake.
    void wake();
    /// All commands of a run are done.
    void rests() { rests_since_ = std::chrono::steady_clock::now(); }

    /// True where a small program builds; asked once per name and version of OpenCL C.
    bool probe(const std::string& name, const std::string& source, const std::string& language = opencl_c_12);

    /// A run begins. `kernels` names those that may write where they should not: their runs find none of the
    /// buffers and tables that others keep, and others none of theirs. Empty: kernels that are shipped.
    void begin_run_of(const std::string& kernels);
    /// Whether kernels run that may write where they should not: they get copies of the host's memory.
    bool trusts_kernels() const { return kernels_.empty(); }

    /// The buffer kept under `key`, or null. It lives as long as anyone holds it, also after it was dropped
    /// here. A guarded run finds its own buffers alone, and others none of them.
    std::shared_ptr<const Buffer> find_resident(const std::string& key);
    /// Keeps a buffer under `key`; the caller has made room.
    std::shared_ptr<const Buffer> keep_resident(const std::string& key, Buffer buffer);
    /// Drops kept buffers, oldest first and `except` last, until at most `bytes` are kept. The device gets
    /// back the memory of those that nobody else holds.
    void shrink_resident(std::uint64_t bytes, const std::string& except = {});
    /// Whether one whose key begins so was found again since it was kept.
    bool was_found(const std::string& prefix) const;
    /// Bytes of kept buffers, of those whose keys begin so.
    std::uint64_t resident_bytes(const std::string& prefix = {}) const;
    /// Buffers of the run that begins lie between guard zones.
    void begin_guarded_run();
    /// Drops what the run kept: a kernel that is wrong may have written into it.
    void end_guarded_run();

    /// How much a run got back under `key`, for later ones to ask for at once; 0 at first.
    std::size_t seen_before(const std::string& key) const;
    void has_seen(const std::string& key, std::size_t size);

  private:
    struct Kept {
        std::string key, kernels;
        std::shared_ptr<const Buffer> buffer;
        bool found = false;  ///< again, since it is kept
    };

    DeviceInfo info_;
    cl::Device device_;
    cl::Context context_;
    cl::CommandQueue queue_;
    ProgramCache programs_;
    std::shared_ptr<DeviceMemory> memory_;
    std::shared_ptr<PageLockedMemory> page_locked_;
    std::map<std::pair<std::string, std::string>, bool> probes_;  ///< by name and language
    cl::Kernel empty_kernel_;
    std::optional<std::chrono::steady_clock::time_point> rests_since_;
    TableCache tables_;
    std::string kernels_;   ///< of the run under way, as begin_run_of() has it
    std::list<Kept> kept_;  ///< most recently used first
    std::map<std::string, std::size_t> seen_before_;
};

}  // namespace ks::gpu
