#include "app/cli/batch_worker.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/fields.h"

namespace ks::cli {
namespace {

/// One item of a batch.
struct BatchJob {
    Request request;
    std::string data, run, table;  ///< of the item
    bool csv = false, overwrite = false;
    using Part = wire::Nothing;
    using Answer = BatchRow;  ///< without data and run
    static constexpr const char* name = "batch";
};
KS_FIELDS(BatchJob, request, data, run, table, csv, overwrite)

BatchRow without_run(const BatchItem& item, BatchRow::State state, std::string why) {
    BatchRow row;
    row.state = state;
    row.data = item.data;
    row.run = item.run;
    row.why = std::move(why);
    return row;
}

}  // namespace

void add_batch_job(wire::Handlers& handlers, Session& session) {
    handlers.on<BatchJob>([&session](const BatchJob& job, Progress& progress) {
        BatchPlan plan;
        plan.request = job.request;
        plan.csv = job.csv;
        plan.overwrite = job.overwrite;
        return run_item(session.engine(), plan, {job.data, job.run, job.table}, progress);
    });
}

BatchRow BatchWorker::run(const BatchItem& item) {
    const auto answer = worker_.ask(
        BatchJob{plan_.request, item.data, item.run.string(), item.csv.string(), plan_.csv, plan_.overwrite},
        {.whole = limit_});
    if (answer.was_too_long)
        return without_run(item, BatchRow::State::failed,
                           fmt::format("{}: it exceeded --time-limit ({:g} s){}", item.data,
                                       static_cast<double>(limit_->count()) / 1000,
                                       answer.stage.empty() ? "" : " in the stage \"" + answer.stage + "\""));
    if (answer.error) {
        if (answer.error->kind() == ErrorKind::cancelled) throw *answer.error;
        return without_run(item, BatchRow::State::failed, answer.error->what());
    }
    if (!answer.value) return without_run(item, BatchRow::State::crashed, answer.how_it_ended);
    BatchRow row = *answer.value;
    row.data = item.data;
    row.run = item.run;
    return row;
}

}  // namespace ks::cli
