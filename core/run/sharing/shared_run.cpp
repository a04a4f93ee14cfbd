#include "core/run/sharing/shared_run.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/devices/device_id.h"
#include "core/run/sharing/dealer.h"

namespace ks {
namespace {

/// Combines the progress of the devices into that of one job.
class JointProgress {
  public:
    /// @param tells_kernels user's kernels run: their supervisor is notified when each one begins
    JointProgress(Progress& whole, std::size_t devices, bool tells_kernels)
        : whole_(whole), tells_kernels_(tells_kernels), at_(devices, 0.0) {}

    /// Progress of a device that has done `fraction` of a piece, which is `part` of the total.
    void report(std::size_t device, double part, double fraction, const std::string& stage) {
        const std::lock_guard lock(mutex_);
        at_[device] = part * fraction;
        double sum = done_;
        for (const double one : at_) sum += one;
        // Values between 0 and 1 are only reported occasionally.
        whole_.report(tells_kernels_ && fraction <= 0 ? 0 : std::clamp(sum, 1e-9, 1 - 1e-9), stage);
    }
    void done(std::size_t device, double part) {
        const std::lock_guard lock(mutex_);
        at_[device] = 0;
        done_ += part;
    }

  private:
    std::mutex mutex_;
    Progress& whole_;
    bool tells_kernels_;
    std::vector<double> at_;
    double done_ = 0;
};

std::vector<DeviceInfo> devices_of(const Run& run) {
    std::vector<DeviceInfo> devices;
    for (const DeviceShare& share : run.devices) devices.push_back(share.device);
    return devices;
}

bool of_one_kind(const std::vector<DeviceInfo>& devices) {
    return std::ranges::all_of(devices, [&first = devices.front()](const DeviceInfo& one) {
        return one.name == first.name && one.driver == first.driver;
    });
}

/// The timings of one device, and the programs it built.
struct Lane {
    std::vector<Timing> timings;
    std::vector<BuildLog> builds;
    std::uint64_t peak = 0;
    Stopwatch watch;  ///< starts before its thread, so that the timings cover all of the lane's time

    void end_of(const char* stage) { add(timings, {stage, StageKind::overhead, watch.lap()}); }
};

class SharedRun {
  public:
    SharedRun(const Analysis& analysis, const std::shared_ptr<const Problem>& problem,
              const ShareUnits& units, Backend& backend, Run& run, Progress& progress)
        : analysis_(analysis),
          problem_(problem),
          backend_(backend),
          run_(run),
          progress_(progress),
          joint_(progress, run.devices.size(), !run.request.kernel_source.empty()),
          dealer_(units, run.devices.size(), of_one_kind(devices_of(run))),
          lanes_(run.devices.size()) {}

    void execute() {
        {
            std::vector<std::jthread> threads;
            threads.reserve(lanes_.size());
            for (std::size_t i = 0; i < lanes_.size(); ++i) threads.emplace_back([this, i] { compute(i); });
        }
        take_lanes();
        if (error_) std::rethrow_exception(error_);
        progress_.check();
        require_complete();
        progress_.report(1, "join");
        join();
    }

  private:
    DeviceShare& share(std::size_t device) { return run_.devices[device]; }

    void compute(std::size_t device) {
        while (const std::optional<Piece> piece = dealer_.next(device)) {
            lanes_[device].end_of("wait for a piece");
            if (compute(device, *piece)) continue;
            lanes_[device].end_of("fail");
            break;
        }
    }

    /// False when the device gets no more pieces.
    bool compute(std::size_t device, const Piece& piece) {
        const double part = dealer_.part_of(piece);
        Progress progress(
            [&](double fraction, const std::string& stage) { joint_.report(device, part, fraction, stage); },
            progress_);
        try {
            Lane& lane = lanes_[device];
            Run some = of_device(device);
            const auto problem = analysis_.part(problem_, piece.first, piece.end);
            lane.end_of("take a piece");
            backend_.execute(*problem, some, progress);
            const std::uint64_t took = lane.watch.lap();
            keep(device, piece, std::move(some), took);
            joint_.done(device, part);
            dealer_.done(device, piece, took);
            return true;
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::device) {
                fail();
                return false;
            }
            share(device).failure = error.what();
            dealer_.give_back(device, piece);
        } catch (const std::bad_alloc&) {
            fail();
        } catch (const std::exception&) {
            fail();
        }
        return false;
    }

    /// Ends the whole run with the current exception.
    void fail() {
        {
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
        }
        dealer_.stop();
    }

    Run of_device(std::size_t device) const {
        const DeviceInfo& own = run_.devices[device].device;
        Run some;
        some.request = run_.request;
        some.variant = run_.variant;
        some.device = own;
        // Values tuned for the first device also apply to others of its kind.
        if (own.name == run_.device.name) some.tuned = run_.tuned;
        const auto beside = static_cast<std::uint64_t>(std::ranges::count_if(
            run_.devices, [&](const DeviceShare& other) { return DeviceId(other.device) == DeviceId(own); }));
        if (some.request.memory_limit) *some.request.memory_limit /= beside;
        return some;
    }

    void keep(std::size_t device, const Piece& piece, Run some, std::uint64_t took) {
        Lane& lane = lanes_[device];
        for (Timing& row : some.timings) {
            row.device = static_cast<std::uint32_t>(device);
            add(lane.timings, std::move(row));
        }
        for (BuildLog& build : some.builds) lane.builds.push_back(std::move(build));
        lane.peak = std::max(lane.peak, some.device_bytes_peak);
        DeviceShare& own = share(device);
        own.share += dealer_.part_of(piece);
        own.units += piece.end - piece.first;
        ++own.pieces;
        own.nanoseconds += took;
        const std::lock_guard lock(mutex_);
        parts_.push_back({piece.first, piece.end, std::move(some.result)});
    }

    /// Moves the lanes' timings into the run, with the time each lane waited for the last one.
    void take_lanes() {
        for (Lane& lane : lanes_) lane.end_of("wait for others");
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            Lane& lane = lanes_[i];
            for (Timing& row : lane.timings) {
                row.device = static_cast<std::uint32_t>(i);
                run_.timings.push_back(std::move(row));
            }
            for (BuildLog& build : lane.builds)
                if (std::ranges::none_of(run_.builds, [&](const BuildLog& known) {
                        return known.source_file == build.source_file && known.options == build.options &&
                               known.text_hash == build.text_hash;
                    }))
                    run_.builds.push_back(std::move(build));
            run_.device_bytes_peak = std::max(run_.device_bytes_peak, lane.peak);
        }
    }

    void require_complete() const {
        if (dealer_.complete()) return;
        std::string reasons;
        for (const DeviceShare& one : run_.devices) reasons += one.label + ": " + one.failure + "\n";
        throw Error(ErrorKind::device, "all devices of the run failed", run_.variant.id, {}, reasons);
    }

    void join() {
        Stopwatch watch;
        std::ranges::sort(parts_, {}, &PartResult::first);
        run_.result = analysis_.joined(*problem_, std::move(parts_), run_.timings);
        for (const DeviceShare& one : run_.devices)
            if (!one.failure.empty())
                run_.result.warnings.push_back(fmt::format(
                    "{} failed, and other devices did its work; its error was: {}", one.label, one.failure));
        add(run_.timings, {"join", StageKind::host, watch.lap()});
    }

    const Analysis& analysis_;
    const std::shared_ptr<const Problem>& problem_;
    Backend& backend_;
    Run& run_;
    Progress& progress_;
    JointProgress joint_;
    Dealer dealer_;
    std::vector<Lane> lanes_;
    std::mutex mutex_;  ///< of what follows
    std::vector<PartResult> parts_;
    std::exception_ptr error_;
};

}  // namespace

std::optional<std::string> why_other_bytes(const ShareUnits& units, const std::vector<DeviceInfo>& devices) {
    if (!units.rounded || of_one_kind(devices)) return std::nullopt;
    return "devices of several kinds shared the run, so the last bits of a value depend on the device that "
           "computed it";
}

void run_shared(const Analysis& analysis, const std::shared_ptr<const Problem>& problem,
                const ShareUnits& units, Backend& backend, Run& run, Progress& progress) {
    SharedRun(analysis, problem, units, backend, run, progress).execute();
    if (const auto why = why_other_bytes(units, devices_of(run))) run.result.warnings.push_back(*why);
}

}  // namespace ks
