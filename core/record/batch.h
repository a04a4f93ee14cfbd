#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/fields.h"
#include "core/run/engine.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks {

/// One data item of a batch, and where its run is written.
struct BatchItem {
    std::string data;  ///< named as in a request: "FILE" or "FILE::/path"
    std::filesystem::path run, csv;
};

/// One request for a list of data: where the runs go and how they are made.
struct BatchPlan {
    std::vector<BatchItem> items;
    Request request;  ///< without the data; all other inputs are common to all runs
    bool csv = false;
    bool overwrite = false;
};

/// The outcome of one item.
struct BatchRow {
    enum class State { done, done_before, failed, crashed };  ///< crashed: ended the process
    State state = State::done;
    std::string data;
    std::filesystem::path run;
    std::string why;                    ///< why it failed or crashed, in one sentence; else empty
    std::vector<std::string> warnings;  ///< of a run made in this batch
    std::uint64_t nanoseconds = 0;      ///< end-to-end time of the run, made now or before
};
const char* name_of(BatchRow::State state);  ///< "done", "done before", "failed", "crashed"
/// Throws ks::Error(run) for an unknown name.
BatchRow::State batch_state_from(const std::string& name);
/// Rows are sent without `data` and `run`, which the receiver knows.
void fields(auto& visit, ConstOr<BatchRow> auto& row) {
    visit.name("state", row.state, batch_state_from);
    visit("why", row.why);
    visit("warnings", row.warnings);
    visit("nanoseconds", row.nanoseconds);
}
/// Whether the item has no run.
inline bool is_failure(BatchRow::State state) {
    return state == BatchRow::State::failed || state == BatchRow::State::crashed;
}

/// The data named in a list, one name per line. Empty lines, lines that begin with #, and blanks around a
/// name are ignored. Names are relative to the list's folder. Throws ks::Error(input) if the list cannot be
/// read or names nothing.
std::vector<std::string> read_batch_list(const std::filesystem::path& list);

/// Runs are named after their data: "scan_1.h5::/entry/b" gives "scan_1_entry_b.h5" in the folder. Throws
/// ks::Error(input) if two names would give the same run.
std::vector<BatchItem> batch_items(const std::vector<std::string>& data, const std::filesystem::path& folder);

/// Throws ks::Error(input) if an output of one item would, because of a link, replace `list` or an input or
/// output of another item, or if a run would replace a file that another item reads by way of a further file.
/// To be called before the first item is run.
void require_separate(const BatchPlan& plan, const std::filesystem::path& list);

/// Why an existing run is not a run of this request ("threshold is 3 there, 4 now"); nothing if it is. Data
/// that have changed since are such a reason, too. Kernels, devices and versions may differ: only what was
/// requested counts.
std::optional<std::string> why_another_run(const Run& before, const std::filesystem::path& file,
                                           const Request& request, const Analysis& analysis);

/// Runs the request for an item that has no run yet; a failure is recorded in its row. An existing run of
/// another request is a failure, or is replaced if the plan allows it. Throws only ks::Error(cancelled).
BatchRow run_item(Engine& engine, const BatchPlan& plan, const BatchItem& item, Progress& progress);

/// The error of a batch that was stopped: how many runs were written.
Error stopped_batch(const Error& cancelled, const std::vector<BatchRow>& rows, std::size_t items);

/// The outcome of each item of a plan; a failure does not stop the others. Throws only ks::Error(cancelled):
/// runs written so far are kept.
/// @param run_one run_item(), in this process or in another one
/// @param each    is called with each row as soon as it is known
std::vector<BatchRow> run_batch(const BatchPlan& plan, Progress& progress,
                                const std::function<BatchRow(const BatchItem&)>& run_one,
                                const std::function<void(const BatchRow&)>& each);

}  // namespace ks
