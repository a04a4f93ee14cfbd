#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cache_folder.h"
#include "core/base/fields.h"
#include "core/devices/user_tuning.h"
#include "core/io/series/file_states.h"
#include "core/run/apart/runs_apart.h"
#include "core/run/backend.h"
#include "core/run/registry.h"
#include "core/run/run.h"
#include "core/run/user/user_variant_folder.h"

namespace ks {

/// A variant, and whether the chosen device can run it.
struct Offer {
    Variant variant;
    std::string why_not;  ///< empty: usable
};

KS_FIELDS(Offer, variant, why_not)

/// Executes runs, without a window: request -> problem -> variant on a device -> run (-> check). The command
/// line calls it in process, the window through the worker.
class Engine {
  public:
    /// @param own_variants the folder of the user's variants
    Engine(std::shared_ptr<const Registry> registry, std::vector<std::unique_ptr<Backend>> backends,
           const std::filesystem::path& own_variants = user_variants_folder());

    const Registry& registry() const { return *registry_; }
    /// Devices of all backends, the host last.
    const std::vector<DeviceInfo>& devices() const;
    /// Everything a device of devices() reports.
    std::vector<DeviceProperty> properties(const DeviceInfo& device) const;
    /// Texts of the kernel files of all backends by path.
    std::map<std::string, std::string> kernel_files() const;
    /// Variants of one analysis on one device (host variants are offered on every device), each with whether
    /// it accepts a computation of these traits. The order is: by rank, the best first; then the user's
    /// variants that are in their folder now; last those that run by name only.
    std::vector<Offer> offers(const std::string& analysis, const DeviceInfo& device,
                              const Traits& traits = {}) const;
    /// The same for the devices named in a request (core/devices/device_list.h): the variants of the first
    /// device, with whether all of the devices can run them. Throws ks::Error(input) for an unknown name.
    std::vector<Offer> offers(const std::string& analysis, const std::string& devices,
                              const Traits& traits = {}) const;
    /// The user's variants; the folder is read again for every query and every run.
    const UserVariantFolder& user_variants() const { return *user_variants_; }
    /// If the request names a user's variant: the request with the text of that variant, so that its runs use
    /// this text even if the file changes. Otherwise the request itself. Throws ks::Error(input) if the file
    /// is missing or invalid.
    Request with_user_text(const Request& request) const;

    /// Completes the request (device, variant, parameters), loads the problem, executes it and, if requested,
    /// checks the result. The last problem is kept, so that the same inputs and parameters are loaded only
    /// once. Throws ks::Error.
    Run run(const Request& request, Progress& progress);
    /// The same for a problem that is already loaded.
    Run run(const Request& request, std::shared_ptr<const Problem> problem, Progress& progress);
    /// As run(), and records the launches. Throws ks::Error(input) as Backend::record() does.
    struct Recorded {
        Run run;
        std::unique_ptr<RecordedLaunches> launches;
    };
    Recorded record(const Request& request, const Problem& problem, Progress& progress);
    /// Loads the problem of a request as run() does, for callers that run parts of the problem separately.
    std::shared_ptr<const Problem> load(const Request& request, Progress& progress);
    /// Id of the variant that a run of that problem uses. Throws ks::Error(input) if there is none.
    std::string variant_of(const Request& request, const Problem& problem) const;
    /// From now on code that runs and files that are read are added to the list of what this
    /// user trusts (core/run/user/trusted_code.h).
    void remember_what_runs() { remembers_ = true; }
    /// The files of the most recently loaded problem, in the state in which they were opened.
    const FileStates& files() const { return cached_files_; }
    /// The same files, in the form in which the record of a run contains them.
    const std::vector<FileRecord>& file_records() const { return cached_records_; }
    /// The key of a run of that problem in the user's table of tuned values, except for the variant id.
    static TunedFor tuned_for(const Analysis& analysis, const Problem& problem,
                              const ParameterSet& parameters);
    /// Builds the kernels for runs like this one on its device, for any inputs, by running a small problem
    /// generated in memory; returns at once if the analysis has none. Throws ks::Error.
    void warm(const Request& request, Progress& progress);
    /// Drops the last problem and the data kept on devices: the next run reads and uploads
    /// everything it needs.
    void forget();
    /// Compares a run with the host reference; the problem is loaded again unless it is the last one. Throws
    /// ks::Error(input) if its files are gone or are no longer those that the run read.
    Verdict check(const Run& run, CheckMode mode, Progress& progress);

    /// Sets how a separate process is started for the user's kernels, which may crash it; without it
    /// everything runs in this process.
    void set_apart(StartApart start) { start_apart_ = std::move(start); }
    /// Null if separate processes cannot be started.
    std::unique_ptr<RunsApart> apart(Progress& progress, KernelLimit limit) const {
        return start_apart_ ? start_apart_(progress, limit) : nullptr;
    }

    /// Measures the peak rates of a device of devices() and stores them in the cache folder.
    Ceilings measure_ceilings(const DeviceInfo& device, const CeilingsPlan& plan, Progress& progress);
    /// The stored measurement for the device and its driver; nothing if there is none.
    std::optional<Ceilings> known_ceilings(const DeviceInfo& device) const;

  private:
    /// A variant, owned by a backend or written by the user.
    struct Candidate {
        const Variant* variant;
        Backend* backend;     ///< null: a broken variant of the user
        int rank;             ///< on the device
        std::string why_not;  ///< why the device cannot run it; empty: it can
        const UserVariant* own = nullptr;
        const Error* fault = nullptr;  ///< of a broken variant of the user
    };
    /// The variants of one analysis on one device, in the order of offers().
    struct Candidates {
        const DeviceInfo& device;  ///< of the caller
        std::vector<Candidate> rows;
        std::vector<DeviceInfo> devices = {};  ///< devices that share the run, `device` first; else empty
        std::shared_ptr<const UserVariantListing> of_user =
            {};                                             ///< keeps the targets of the rows' pointers alive
        std::shared_ptr<const GoodUserVariant> given = {};  ///< from a request that contains the text
    };
    Candidates candidates(const std::string& analysis, const DeviceInfo& device) const;
    Candidates candidates(const Request& request) const;
    Candidates candidates_of_first(const Request& request) const;
    void add_of_user(Candidates& all, const std::string& analysis) const;
    /// Marks candidates for the first device that one of the other devices cannot run, with the reason.
    void require_all_devices(Candidates& all) const;
    Candidate candidate_of(const GoodUserVariant& good, const DeviceInfo& device) const;
    const DeviceInfo& host() const;
    /// The variant named by the request, or the best one that accepts a computation of these traits. Throws
    /// ks::Error(input) if there is none.
    const Candidate& choose(const Candidates& among, const Request& request, const Traits& traits) const;
    /// Throws ks::Error(input) if the variant is a user's variant whose file is missing.
    void require_file_of(const Request& request) const;

    /// The request with all parameters, checked. Throws io::NotFollowed(input) if a request read from a
    /// file names inputs that the user has not allowed, and ks::Error(input) if its code is unknown.
    /// @param compiled false: its code is not compiled, so it may be unknown
    Request completed(const Request& request, bool compiled = true) const;
    /// Throws ks::Error(input) if a run of a request read from a file would compile unknown code.
    void require_known_code_of(const Request& request) const;
    /// These take completed requests.
    std::shared_ptr<const Problem> problem_of(const Request& complete, Progress& progress);
    /// @param begin of the run, whose stages until here are `before`
    /// @param recorded receives the launches, if not null
    Run run_among(const Candidates& among, const Request& complete,
                  const std::shared_ptr<const Problem>& problem, Progress& progress,
                  std::chrono::steady_clock::time_point begin, std::vector<Timing> before,
                  std::unique_ptr<RecordedLaunches>* recorded = nullptr);
    /// Divides the problem among the devices of the run, if it has several.
    void execute(const Analysis& analysis, const std::shared_ptr<const Problem>& problem, Backend& backend,
                 Run& run, Progress& progress);
    /// Applies the user's tuned values to a run; faults in them become warnings.
    void take_tuned(Run& run, const Analysis& analysis, const Problem& problem,
                    std::vector<std::string>& warnings);

    std::shared_ptr<const Registry> registry_;
    std::vector<std::unique_ptr<Backend>> backends_;
    std::unique_ptr<const UserVariantFolder> user_variants_;
    /// Enumerated on demand: loading OpenCL drivers takes longer than a small run on the host.
    struct Devices {
        std::once_flag listed, host_known;
        std::vector<DeviceInfo> all;
        DeviceInfo host;
    };
    std::unique_ptr<Devices> devices_ = std::make_unique<Devices>();
    std::string cached_key_;
    FileStates cached_files_;  ///< files of cached_problem_
    std::vector<FileRecord> cached_records_;
    std::shared_ptr<const Problem> cached_problem_;
    UserTuning tuning_{data_folder()};
    StartApart start_apart_;
    bool remembers_ = false;
};

}  // namespace ks
