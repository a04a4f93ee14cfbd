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
#include "core/io/files/file_states.h"
#include "core/run/apart/runs_apart.h"
#include "core/run/backend.h"
#include "core/run/registry.h"
#include "core/run/run.h"
#include "core/run/user/user_variant_folder.h"

namespace ks {

/// A variant with whether the chosen device can run it.
struct Offer {
    Variant variant;
    std::string why_not;  ///< empty: usable
};

void fields(auto& visit, ConstOr<Offer> auto& offer) {
    visit("variant", offer.variant);
    visit("why_not", offer.why_not);
}

/// The way of a run, without a window: request -> problem -> variant on a device -> run (-> check).
/// The command line calls it in process, the window through the worker.
class Engine {
  public:
    /// @param own_variants the folder of the variants that the user wrote
    Engine(std::shared_ptr<const Registry> registry, std::vector<std::unique_ptr<Backend>> backends,
           const std::filesystem::path& own_variants = user_variants_folder());

    const Registry& registry() const { return *registry_; }
    /// Devices of all backends, the host last.
    const std::vector<DeviceInfo>& devices() const;
    /// All that a device of devices() says of itself.
    std::vector<DeviceProperty> properties(const DeviceInfo& device) const;
    /// Texts of the kernel files of all backends by their path.
    std::map<std::string, std::string> kernel_files() const;
    /// Variants of one analysis on one device (host variants are offered on every device), best rank first,
    /// then those of the user as their folder is now, and those that run by name only last, with whether they
    /// take a computation of these traits.
    std::vector<Offer> offers(const std::string& analysis, const DeviceInfo& device,
                              const Traits& traits = {}) const;
    /// The same on the devices that a request names (core/devices/device_list.h): those of the first, with
    /// whether all of them can run it. Throws ks::Error(input) for a wrong name.
    std::vector<Offer> offers(const std::string& analysis, const std::string& devices,
                              const Traits& traits = {}) const;
    /// Variants that the user wrote; every question and every run looks at the folder again.
    const UserVariantFolder& user_variants() const { return *user_variants_; }
    /// With the text of the user's variant that it names, if it does: runs of it then take that text,
    /// whatever becomes of the file. Throws ks::Error(input) where the file is not there, or wrong.
    Request with_user_text(const Request& request) const;

    /// Completes the request (device, variant, parameters), loads the problem (the last one is kept: same
    /// inputs and parameters load once), executes and, where the request says so, checks. Throws ks::Error.
    Run run(const Request& request, Progress& progress);
    /// The same on a problem that is already there.
    Run run(const Request& request, std::shared_ptr<const Problem> problem, Progress& progress);
    /// That, with its launches kept. Throws ks::Error(input) as Backend::record() does.
    struct Recorded {
        Run run;
        std::unique_ptr<RecordedLaunches> launches;
    };
    Recorded record(const Request& request, const Problem& problem, Progress& progress);
    /// Loads the problem of a request as run() does, for who runs parts of it by themselves.
    std::shared_ptr<const Problem> load(const Request& request, Progress& progress);
    /// Id of the variant that a run of that problem takes. Throws ks::Error(input) where there is none.
    std::string variant_of(const Request& request, const Problem& problem) const;
    /// From now on what runs and what is read is added to the list of what this user trusts
    /// (core/run/user/trusted_code.h).
    void remember_what_runs() { remembers_ = true; }
    /// The files behind the problem that was loaded last, as they were when they were opened.
    const FileStates& files() const { return cached_files_; }
    /// The same for the record of a run.
    const std::vector<FileRecord>& file_records() const { return cached_records_; }
    /// Where a run of that problem stands in the user's table of tuned values, but for its variant's id.
    static TunedFor tuned_for(const Analysis& analysis, const Problem& problem,
                              const ParameterSet& parameters);
    /// Builds the kernels of runs like this one on its device, whatever its inputs are, by a run of a small
    /// problem that is made in memory; returns at once where the analysis has none. Throws ks::Error.
    void warm(const Request& request, Progress& progress);
    /// Drops the last problem and what stays on devices: the next run reads and uploads all that it needs.
    void forget();
    /// Compares a run with the host's reference; the problem is loaded again where it is not the last one.
    Verdict check(const Run& run, CheckMode mode, Progress& progress);

    /// How kernels of the user's own get a process that they may end; without it all runs are here.
    void set_apart(StartApart start) { start_apart_ = std::move(start); }
    /// Null where there is no way to start one.
    std::unique_ptr<RunsApart> apart(Progress& progress, KernelLimit limit) const {
        return start_apart_ ? start_apart_(progress, limit) : nullptr;
    }

    /// Measures what a device of devices() can do at most, and keeps it in the cache folder.
    Ceilings measure_ceilings(const DeviceInfo& device, const CeilingsPlan& plan, Progress& progress);
    /// What was measured and kept of the device with its driver; nothing where never.
    std::optional<Ceilings> known_ceilings(const DeviceInfo& device) const;

  private:
    /// A variant of a backend, which keeps it, or of the user.
    struct Candidate {
        const Variant* variant;
        Backend* backend;     ///< null: of the user, and broken
        int rank;             ///< on the device
        std::string why_not;  ///< the device cannot run it; empty: it can
        const UserVariant* own = nullptr;
    };
    /// The variants of one analysis on one device, in the order of offers().
    struct Candidates {
        const DeviceInfo& device;  ///< of the caller
        std::vector<Candidate> rows;
        std::vector<DeviceInfo> devices = {};  ///< that share the run, `device` first; else empty
        std::shared_ptr<const UserVariantListing> of_user = {};  ///< keeps what rows point at
        std::shared_ptr<const GoodUserVariant> given = {};       ///< of a request that holds the text
    };
    Candidates candidates(const std::string& analysis, const DeviceInfo& device) const;
    Candidates candidates(const Request& request) const;
    Candidates candidates_of_first(const Request& request) const;
    void add_of_user(Candidates& all, const std::string& analysis) const;
    /// Of candidates on the first of the devices, says which of the others cannot run them.
    void require_all_devices(Candidates& all) const;
    Candidate candidate_of(const GoodUserVariant& good, const DeviceInfo& device) const;
    const DeviceInfo& host() const;
    /// The one that a request names, or the best that takes a computation of these traits. Throws
    /// ks::Error(input) where there is none.
    const Candidate& choose(const Candidates& among, const Request& request, const Traits& traits) const;
    /// Throws ks::Error(input) where the variant is one of the user's, whose file is not there (any more).
    void require_file_of(const Request& request) const;

    /// With all parameters, checked. Throws io::NotFollowed(input) where one that was read from a file names
    /// inputs that nobody here has allowed.
    Request completed(const Request& request) const;
    /// Throws ks::Error(input) where a run of a request that was read from a file would compile code that is
    /// not known.
    void require_known_code_of(const Request& request) const;
    /// These take completed requests.
    std::shared_ptr<const Problem> problem_of(const Request& complete, Progress& progress);
    /// @param begin of the run, whose stages until here are `before`
    /// @param recorded takes the launches, where it is given
    Run run_among(const Candidates& among, const Request& complete,
                  const std::shared_ptr<const Problem>& problem, Progress& progress,
                  std::chrono::steady_clock::time_point begin, std::vector<Timing> before,
                  std::unique_ptr<RecordedLaunches>* recorded = nullptr);
    /// Shares the problem out to the run's devices, where it has several.
    void execute(const Analysis& analysis, const std::shared_ptr<const Problem>& problem, Backend& backend,
                 Run& run, Progress& progress);
    /// Takes the user's tuned values for a run; what is wrong with them is a warning.
    void take_tuned(Run& run, const Analysis& analysis, const Problem& problem,
                    std::vector<std::string>& warnings);

    std::shared_ptr<const Registry> registry_;
    std::vector<std::unique_ptr<Backend>> backends_;
    std::unique_ptr<const UserVariantFolder> user_variants_;
    /// Found when they are asked for: loading OpenCL's drivers takes longer than a small run on the host.
    struct Devices {
        std::once_flag listed, host_known;
        std::vector<DeviceInfo> all;
        DeviceInfo host;
    };
    std::unique_ptr<Devices> devices_ = std::make_unique<Devices>();
    std::string cached_key_;
    FileStates cached_files_;  ///< behind cached_problem_
    std::vector<FileRecord> cached_records_;
    std::shared_ptr<const Problem> cached_problem_;
    UserTuning tuning_{data_folder()};
    StartApart start_apart_;
    bool remembers_ = false;
};

}  // namespace ks
