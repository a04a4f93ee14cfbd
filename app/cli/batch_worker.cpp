#include "app/cli/batch_worker.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/fields.h"

namespace ks::cli {
namespace {

constexpr const char* batch = "batch";

wire::Message asked(const BatchPlan& plan, const BatchItem& item) {
    wire::Message message;
    message.header = {{"type", batch},
                      {"data", item.data},
                      {"run", item.run.string()},
                      {"table", item.csv.string()},
                      {"csv", plan.csv},
                      {"overwrite", plan.overwrite}};
    message.header["request"] = ks::to_json(plan.request, &message.blobs);
    return message;
}

BatchRow row_from(const wire::Message& message, const BatchItem& item) {
    BatchRow row;
    row.data = item.data;
    row.run = item.run;
    row.state = batch_state_from(message.header.at("state").get<std::string>());
    row.why = message.header.at("why").get<std::string>();
    row.warnings = message.header.at("warnings").get<std::vector<std::string>>();
    row.nanoseconds = message.header.at("nanoseconds").get<std::uint64_t>();
    return row;
}

BatchRow without_run(const BatchItem& item, BatchRow::State state, std::string why) {
    BatchRow row;
    row.state = state;
    row.data = item.data;
    row.run = item.run;
    row.why = std::move(why);
    return row;
}

}  // namespace

WorkerJob batch_job(Session& session) {
    return [&session](const wire::Message& message, wire::Message& answer, Progress& progress) {
        BatchPlan plan;
        BatchItem item;
        plan.request = ks::from_json<Request>(message.header.at("request"), "a request", &message.blobs);
        plan.csv = message.header.at("csv").get<bool>();
        plan.overwrite = message.header.at("overwrite").get<bool>();
        item.data = message.header.at("data").get<std::string>();
        item.run = message.header.at("run").get<std::string>();
        item.csv = message.header.at("table").get<std::string>();
        const BatchRow row = run_item(session.engine(), plan, item, progress);
        answer.header["state"] = name_of(row.state);
        answer.header["why"] = row.why;
        answer.header["warnings"] = row.warnings;
        answer.header["nanoseconds"] = row.nanoseconds;
    };
}

BatchRow BatchWorker::run(const BatchItem& item) {
    const WorkerProcess::Answer answer = worker_.ask(asked(plan_, item), {.whole = limit_});
    if (answer.was_too_long)
        return without_run(
            item, BatchRow::State::failed,
            fmt::format("{}: it exceeded --time-limit, {:g} s{}", item.data,
                        static_cast<double>(limit_->count()) / 1000,
                        answer.stage.empty() ? "" : ", in the stage \"" + answer.stage + "\""));
    if (!answer.message) return without_run(item, BatchRow::State::crashed, answer.how_it_ended);
    if (answer.message->type() == batch) return row_from(*answer.message, item);
    const Error error = wire::error_from(answer.message->header.at("error"));
    if (error.kind() == ErrorKind::cancelled) throw error;
    return without_run(item, BatchRow::State::failed, error.what());
}

}  // namespace ks::cli
