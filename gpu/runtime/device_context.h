#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <CL/opencl.hpp>

#include "core/devices/device_info.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/device_query.h"
#include "gpu/runtime/page_locked.h"
#include "gpu/runtime/program_cache.h"

namespace ks::gpu {

/// Small tables of runs that stay on the device and are found by their content. If a run has the same problem
/// as the previous run, it writes none of them again; for a driver, a write costs more than the bytes
/// themselves.
class TableCache {
  public:
    using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< hashes of the content
    static constexpr std::uint64_t largest = std::uint64_t{1} << 20;

    static Key key_of(std::span<const std::byte> content);
    /// Null if it is not there. Whoever holds a table keeps it alive, even after it was dropped here.
    std::shared_ptr<const Buffer> find(const Key& key);
    /// The least recently used tables are dropped first.
    std::shared_ptr<const Buffer> keep(const Key& key, Buffer table);
    void clear() { kept_.clear(); }

  private:
    struct Kept {
        Key key;
        std::shared_ptr<const Buffer> table;
    };
    std::list<Kept> kept_;  ///< most recently used first
};

/// The version of OpenCL C that programs are compiled as, unless a variant requires another.
inline constexpr const char* opencl_c_12 = "CL1.2";

/// A device in use: context, queue, programs, and data that stay on it between runs (the least recently used
/// are dropped first).
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
    /// Null if the device shares the host's memory, so that transfers are plain copies.
    const std::shared_ptr<PageLockedMemory>& page_locked() const { return page_locked_; }
    /// Host memory for transfers: page-locked if the device has such memory and some is left.
    std::shared_ptr<std::byte[]> staging(std::size_t bytes) const;

    /// Bytes that a run may hold if it sets no limit: 4/5 of a GPU's memory, half of that of other devices.
    /// @param device as in the run; it may have only a part of the memory
    static std::uint64_t default_budget(const DeviceInfo& device);

    /// Sends an empty kernel to a GPU, without waiting: a GPU that was idle for a millisecond takes some
    /// microseconds to wake, which it can do while the host prepares a run. Does nothing if the device is
    /// awake.
    void wake();
    /// All commands of a run have finished.
    void rests() { rests_since_ = std::chrono::steady_clock::now(); }

    /// True if a small program builds; tried once per name and version of OpenCL C.
    bool probe(const std::string& name, const std::string& source, const std::string& language = opencl_c_12);

    /// A run begins. `kernels` identifies kernels that may write where they should not. Runs of such kernels
    /// do not see the buffers and tables that other runs keep, and other runs do not see those of such
    /// kernels. Empty: shipped kernels.
    void begin_run_of(const std::string& kernels);
    /// Whether a run of the user's kernels has finished; `kernels` as in begin_run_of().
    bool has_run(const std::string& kernels) const { return have_run_.contains(kernels); }
    void note_run(const std::string& kernels);
    /// False if kernels run that may write where they should not: they get copies of host memory.
    bool trusts_kernels() const { return kernels_.empty(); }

    /// The buffer kept under `key`, or null. It lives as long as anyone holds it, even after it was dropped
    /// here. A guarded run finds only its own buffers, and other runs find none of them.
    std::shared_ptr<const Buffer> find_resident(const std::string& key);
    /// Keeps a buffer under `key`; the caller has made room.
    std::shared_ptr<const Buffer> keep_resident(const std::string& key, Buffer buffer);
    /// Drops kept buffers, oldest first and `except` last, until no more than `bytes` are kept. The memory of
    /// a buffer returns to the device if nobody else holds it.
    void shrink_resident(std::uint64_t bytes, const std::string& except = {});
    /// Whether a buffer whose key has this prefix was found again since it was kept.
    bool was_found(const std::string& prefix) const;
    /// Bytes of kept buffers whose keys have this prefix.
    std::uint64_t resident_bytes(const std::string& prefix = {}) const;
    /// Buffers of the run that begins get guard zones.
    void begin_guarded_run();
    /// Drops what the run kept: a faulty kernel may have written into it.
    void end_guarded_run();

    /// How much a run got back under `key`, so that later runs can request this amount at once; 0 at first.
    std::size_t seen_before(const std::string& key) const;
    void has_seen(const std::string& key, std::size_t size);

  private:
    struct Kept {
        std::string key, kernels;
        std::shared_ptr<const Buffer> buffer;
        bool found = false;  ///< again, since it was kept
        bool used = true;    ///< by the current run
    };

    /// Tells the memory how much of it the current run does not use.
    void count_unused();

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
    std::string kernels_;             ///< of the current run, as in begin_run_of()
    std::set<std::string> have_run_;  ///< as in note_run()
    std::list<Kept> kept_;            ///< most recently used first
    std::map<std::string, std::size_t> seen_before_;
};

}  // namespace ks::gpu
