#include "core/ranks/shared_batch.h"

#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/ranks/identity.h"

namespace ks {
namespace {

constexpr auto pause = std::chrono::milliseconds(2);

wire::Message wish() {
    wire::Message message;
    message.header = {{"type", "wish"}};
    return message;
}

/// @param index nothing: there are no more items
wire::Message item_at(std::optional<std::size_t> index) {
    wire::Message message;
    message.header = {{"type", "item"}};
    if (index) message.header["index"] = *index;
    return message;
}

wire::Message message_of(std::size_t index, const BatchRow& row) {
    wire::Message message;
    message.header = {{"type", "row"}, {"index", index}, {"data", row.data}, {"run", row.run.string()}};
    message.header.update(ks::to_json(row));
    return message;
}

BatchRow row_from(const nlohmann::json& json) {
    auto row = ks::from_json<BatchRow>(json, "a row of a batch");
    row.data = json.at("data").get<std::string>();
    row.run = json.at("run").get<std::string>();
    return row;
}

/// Hands out the items of a plan and collects the rows; used by two threads of rank 0.
class Counter {
  public:
    explicit Counter(std::size_t items) : rows_(items) {}

    std::optional<std::size_t> next() {
        const std::lock_guard lock(mutex_);
        return next_ < rows_.size() ? std::optional(next_++) : std::nullopt;
    }
    void put(std::size_t index, BatchRow row) {
        const std::lock_guard lock(mutex_);
        rows_.at(index) = std::move(row);
    }
    std::optional<BatchRow> row(std::size_t index) const {
        const std::lock_guard lock(mutex_);
        return rows_.at(index);
    }

  private:
    mutable std::mutex mutex_;
    std::size_t next_ = 0;
    std::vector<std::optional<BatchRow>> rows_;
};

/// The items that rank 0 runs itself while handing out; ends with the last item or the first exception.
class OwnItems {
  public:
    OwnItems(Counter& counter, const BatchPlan& plan,
             const std::function<BatchRow(const BatchItem&)>& run_one)
        : thread_([this, &counter, &plan, &run_one] {
              try {
                  while (const auto index = counter.next()) counter.put(*index, run_one(plan.items[*index]));
              } catch (...) {
                  const std::lock_guard lock(mutex_);
                  failure_ = std::current_exception();
              }
          }) {}
    ~OwnItems() {
        if (thread_.joinable()) thread_.join();
    }
    OwnItems(const OwnItems&) = delete;
    OwnItems& operator=(const OwnItems&) = delete;

    void rethrow() const {
        const std::lock_guard lock(mutex_);
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    mutable std::mutex mutex_;
    std::exception_ptr failure_;
    std::thread thread_;
};

/// Rank 0's side: answers requests until every rank knows that no item is left and all rows have arrived.
void hand_out(Exchange& exchange, Counter& counter, const BatchPlan& plan, Progress& progress,
              const OwnItems& own, std::vector<BatchRow>& rows,
              const std::function<void(const BatchRow&)>& each) {
    std::size_t at_work = exchange.size() - 1;
    while (at_work > 0 || rows.size() < plan.items.size()) {
        while (std::optional<Exchange::Letter> letter = exchange.next_letter()) {
            if (letter->message.type() == "row") {
                counter.put(letter->message.header.at("index").get<std::size_t>(),
                            row_from(letter->message.header));
                continue;
            }
            const std::optional<std::size_t> next = counter.next();
            exchange.send(letter->from, item_at(next));
            if (!next) --at_work;
        }
        while (rows.size() < plan.items.size()) {
            std::optional<BatchRow> row = counter.row(rows.size());
            if (!row) break;
            rows.push_back(std::move(*row));
            each(rows.back());
        }
        own.rethrow();
        progress.check();
        std::this_thread::sleep_for(pause);
    }
}

void run_at_first(Exchange& exchange, const BatchPlan& plan, Progress& progress,
                  const std::function<BatchRow(const BatchItem&)>& run_one, std::vector<BatchRow>& rows,
                  const std::function<void(const BatchRow&)>& each) {
    Counter counter(plan.items.size());
    const OwnItems own(counter, plan, run_one);
    try {
        hand_out(exchange, counter, plan, progress, own, rows, each);
    } catch (...) {
        progress.cancel();  // of the item that is running here
        throw;
    }
}

void run_elsewhere(Exchange& exchange, const BatchPlan& plan,
                   const std::function<BatchRow(const BatchItem&)>& run_one) {
    while (true) {
        exchange.send(0, wish());
        const wire::Message answer = exchange.letter().message;
        if (!answer.header.contains("index")) return;
        const auto index = answer.header.at("index").get<std::size_t>();
        exchange.send(0, message_of(index, run_one(plan.items.at(index))));
    }
}

std::vector<IdentityRow> batch_rows(const BatchPlan& plan) {
    std::vector<IdentityRow> rows{version_row()};
    for (IdentityRow& row : rows_of(plan.request)) rows.push_back(std::move(row));
    rows.push_back({"the number of files", std::to_string(plan.items.size())});
    for (std::size_t i = 0; i < plan.items.size(); ++i)
        rows.push_back({fmt::format("file {} of the list", i + 1), plan.items[i].data});
    return rows;
}

}  // namespace

std::vector<BatchRow> run_batch_over_ranks(Exchange& exchange, const BatchPlan& plan, Progress& progress,
                                           const std::function<BatchRow(const BatchItem&)>& run_one,
                                           const std::function<void(const BatchRow&)>& each) {
    require_alike(exchange, batch_rows(plan));
    std::vector<BatchRow> rows;
    if (!exchange.is_first()) {
        run_elsewhere(exchange, plan, run_one);
        return rows;
    }
    try {
        run_at_first(exchange, plan, progress, run_one, rows, each);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::cancelled) throw;
        throw stopped_batch(error, rows, plan.items.size());
    }
    return rows;
}

}  // namespace ks
