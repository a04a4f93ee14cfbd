#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/engine.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks {

/// One piece of data of a batch, and where its run is written.
struct BatchItem {
    std::string data;  ///< as a request names it: "FILE" or "FILE::/path"
    std::filesystem::path run, csv;
};

/// One request over a list of data: where each run goes, and what is made of it.
struct BatchPlan {
    std::vector<BatchItem> items;
    Request request;  ///< without its data; all other inputs are those of every run
    bool csv = false;
    bool overwrite = false;
};

/// What became of one piece of data.
struct BatchRow {
    enum class State { done, done_before, failed, crashed };  ///< crashed: it ended the process
    State state = State::done;
    std::string data;
    std::filesystem::path run;
    std::string why;                    ///< it failed or crashed: one sentence; else empty
    std::vector<std::string> warnings;  ///< of a run that was made now
    std::uint64_t nanoseconds = 0;      ///< end to end, of the run that was made now or before
};
const char* name_of(BatchRow::State state);  ///< "done", "done before", "failed", "crashed"
/// Throws ks::Error(run) where it is no such name.
BatchRow::State batch_state_from(const std::string& name);
/// Whether there is no run of it.
inline bool is_failure(BatchRow::State state) {
    return state == BatchRow::State::failed || state == BatchRow::State::crashed;
}

/// The data that a list names, a name a line: empty lines and those that begin with # count for nothing,
/// blanks around a name neither. Names are taken as the list's folder sees them. Throws ks::Error(input)
/// where the list cannot be read or names nothing.
std::vector<std::string> read_batch_list(const std::filesystem::path& list);

/// Runs are called as their data: "scan_1.h5::/entry/b" gives "scan_1_entry_b.h5" in the folder. Throws
/// ks::Error(input) where two names would give the same run.
std::vector<BatchItem> batch_items(const std::vector<std::string>& data, const std::filesystem::path& folder);

/// Throws ks::Error(input) where what a plan writes for one item would, by a link, replace what it reads or
/// writes for another one, or `list`.
void require_separate(const BatchPlan& plan, const std::filesystem::path& list);

/// Why a run that is there is none of the request ("threshold is 3 there and 4 now"), of data that changed
/// since among others; nothing where it is. Kernels, devices and versions may differ: what is asked for
/// counts.
std::optional<std::string> why_another_run(const Run& before, const std::filesystem::path& file,
                                           const Request& request, const Analysis& analysis);

/// Runs the request for an item whose run is not there yet; a failure is its row. A run that is there but was
/// made of another request fails, or is replaced where the plan says so. Throws only ks::Error(cancelled).
BatchRow run_item(Engine& engine, const BatchPlan& plan, const BatchItem& item, Progress& progress);

/// The error of a batch that was asked to stop: how many runs were written.
Error stopped_batch(const Error& cancelled, const std::vector<BatchRow>& rows, std::size_t items);

/// What becomes of each item of a plan; no failure ends the rest. Throws only ks::Error(cancelled): runs that
/// were written before stay.
/// @param run_one run_item(), in this process or in another one
/// @param each    is told of each row as it is known
std::vector<BatchRow> run_batch(const BatchPlan& plan, Progress& progress,
                                const std::function<BatchRow(const BatchItem&)>& run_one,
                                const std::function<void(const BatchRow&)>& each);

}  // namespace ks
