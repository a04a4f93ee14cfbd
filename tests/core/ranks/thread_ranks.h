#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/ranks/exchange.h"
#include "core/ranks/ranks.h"

namespace ks::tests {

/// What ranks that are threads of one process share.
struct ThreadMail {
    std::mutex mutex;
    std::vector<std::deque<RankBytes>> boxes;  ///< by the rank that receives
};

/// A rank that is a thread; every second one lies on the second node.
class ThreadRank final : public Ranks {
  public:
    ThreadRank(std::shared_ptr<ThreadMail> mail, std::size_t rank) : mail_(std::move(mail)), rank_(rank) {}

    std::size_t rank() const override { return rank_; }
    std::size_t size() const override { return mail_->boxes.size(); }
    std::string host() const override { return fmt::format("node{}", rank_ % 2); }
    std::size_t local_rank() const override { return rank_ / 2; }
    void send(std::size_t to, std::vector<std::byte> bytes) override {
        const std::lock_guard lock(mail_->mutex);
        mail_->boxes.at(to).push_back({rank_, std::move(bytes)});
    }
    std::optional<RankBytes> received() override {
        const std::lock_guard lock(mail_->mutex);
        auto& box = mail_->boxes[rank_];
        if (box.empty()) return std::nullopt;
        RankBytes first = std::move(box.front());
        box.pop_front();
        return first;
    }
    bool is_sending() override { return false; }
    void leave() override {}
    [[noreturn]] void abort(int) override { std::terminate(); }

  private:
    std::shared_ptr<ThreadMail> mail_;
    std::size_t rank_;
};

/// What became of a rank: its error, or none.
using RankOutcome = std::optional<Error>;

/// Runs `work` on `size` ranks at the same time. One that throws fails as the program does: rank 0 ends all,
/// another one tells rank 0.
inline std::vector<RankOutcome> on_ranks(std::size_t size,
                                         const std::function<void(Exchange&, Progress&)>& work) {
    auto mail = std::make_shared<ThreadMail>();
    mail->boxes.resize(size);
    std::vector<RankOutcome> outcomes(size);
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            ThreadRank ranks(mail, rank);
            Exchange* listener = nullptr;
            Progress progress([&listener](double fraction, const std::string& stage) {
                listener->report(fraction, stage);
            });
            Exchange exchange(ranks, progress);
            listener = &exchange;
            try {
                work(exchange, progress);
            } catch (const Error& error) {
                outcomes[rank] =
                    error.kind() == ErrorKind::cancelled && exchange.failure() ? *exchange.failure() : error;
                exchange.fail(error);
            }
        });
    for (std::thread& thread : threads) thread.join();
    return outcomes;
}

}  // namespace ks::tests
