#include "core/ranks/exchange.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace ks {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto progress_pause = 100ms;  ///< between two reports of one stage
constexpr auto patience = 4s;           ///< for rank 0 to receive a failure
constexpr auto own_error = 300ms;       ///< for rank 0 to fail on its own after another rank did

/// Polls often while messages arrive and rarely while others compute, to leave them the processors.
class Pause {
  public:
    void wait() {
        ++times_;
        if (times_ < 200)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(times_ < 2000 ? 200us : 2000us);
    }

  private:
    int times_ = 0;
};

std::int64_t now_ns() {
    return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}

}  // namespace

std::string name_of_rank(std::size_t rank, const std::string& host) {
    return fmt::format("rank {} on {}", rank, host);
}

Error error_of_rank(const Error& error, const std::string& who) {
    return Error(error.kind(), error.message(),
                 error.where().empty() ? who : fmt::format("{}: {}", who, error.where()), error.hint(),
                 error.details());
}

void Exchange::send(std::size_t to, const wire::Message& message) {
    ranks_.send(to, wire::encode(message));
}

void Exchange::read_all() {
    while (std::optional<RankBytes> one = ranks_.received()) {
        wire::Decoder decoder;
        decoder.feed(one->bytes);
        if (std::optional<wire::Message> message = decoder.next()) take(one->from, std::move(*message));
    }
    if (failure_ && now_ns() - failed_ns_ > std::chrono::nanoseconds(own_error).count()) progress_.cancel();
}

void Exchange::take(std::size_t from, wire::Message message) {
    const std::string type = message.type();
    if (type == "step") {
        steps_[from].push_back(std::move(message));
    } else if (type == "progress") {
        take_progress(from, message);
    } else if (type == "failed") {
        const Error error = wire::error_from(message.header.at("error"));
        if (failure_) return;
        failure_ = error_of_rank(error, name_of_rank(from, message.header.at("host").get<std::string>()));
        failed_ns_ = now_ns();
    } else if (type == "end") {
        ended_ = true;
        progress_.cancel();
    } else {
        letters_.push_back({from, std::move(message)});
    }
}

void Exchange::take_progress(std::size_t from, const wire::Message& message) {
    const auto stage = message.header.at("stage").get<std::string>();
    if (const auto before = stages_.find(from); before != stages_.end() && before->second != stage)
        fractions_[from][before->second] = 1;
    stages_[from] = stage;
    fractions_[from][stage] = message.header.at("fraction").get<double>();
}

void Exchange::show(const std::string& stage) {
    if (!show_) return;
    double sum = 0;
    for (const auto& [rank, known] : fractions_)
        if (const auto found = known.find(stage); found != known.end()) sum += found->second;
    show_(sum / static_cast<double>(size()), stage);
}

void Exchange::report(double fraction, const std::string& stage) {
    if (std::this_thread::get_id() != speaker_) return;
    wire::Message message;
    message.header = {{"type", "progress"}, {"fraction", fraction}, {"stage", stage}};
    read_all();
    if (is_first()) {
        take_progress(0, message);
        show(stage);
        return;
    }
    const std::int64_t now = now_ns();
    if (stage == told_stage_ && now - told_progress_ns_ < std::chrono::nanoseconds(progress_pause).count())
        return;
    told_stage_ = stage;
    told_progress_ns_ = now;
    send(0, message);
}

void Exchange::wait_for(const std::function<bool()>& done) {
    Pause pause;
    std::string shown;
    double sum_shown = -1;
    while (true) {
        read_all();
        progress_.check();
        if (done()) return;
        // The stage that is not finished shows where all are.
        double sum = 0;
        std::string stage;
        for (const auto& [rank, known] : stages_) {
            if (rank == 0) continue;
            sum += fractions_[rank][known];
            if (fractions_[rank][known] < 1 || stage.empty()) stage = known;
        }
        if (is_first() && !stage.empty() && (stage != shown || sum != sum_shown)) {
            if (const auto own = stages_.find(0); own != stages_.end()) fractions_[0][own->second] = 1;
            show(stage);
            shown = stage;
            sum_shown = sum;
        }
        pause.wait();
    }
}

std::optional<wire::Message> Exchange::step_from(std::size_t from) {
    std::deque<wire::Message>& come = steps_[from];
    if (come.empty()) return std::nullopt;
    wire::Message message = std::move(come.front());
    come.pop_front();
    return message;
}

void Exchange::require_step(const wire::Message& message, const std::string& step, std::size_t from) const {
    const auto found = message.header.value("step", "");
    if (found == step) return;
    throw Error(ErrorKind::run,
                fmt::format("expected a message of step \"{}\" from this rank, found one of step \"{}\"",
                            step, found),
                fmt::format("rank {}", from));
}

std::vector<wire::Message> Exchange::gathered(const std::string& step, wire::Message mine) {
    wire::Message message;
    message.header = {{"type", "step"}, {"step", step}, {"body", std::move(mine.header)}};
    message.blobs = std::move(mine.blobs);
    if (!is_first()) {
        send(0, message);
        message = {};
        wait_for([this] { return !ranks_.is_sending(); });
        return {};
    }
    std::vector<wire::Message> all;
    all.push_back(std::move(message));
    for (std::size_t from = 1; from < size(); ++from) {
        wait_for([&] { return !steps_[from].empty(); });
        all.push_back(*step_from(from));
        require_step(all.back(), step, from);
    }
    for (wire::Message& one : all) {
        nlohmann::json body = std::move(one.header.at("body"));
        one.header = std::move(body);
    }
    return all;
}

wire::Message Exchange::told(const std::string& step, wire::Message of_first) {
    if (is_first()) {
        wire::Message message;
        message.header = {{"type", "step"}, {"step", step}, {"body", of_first.header}};
        message.blobs = of_first.blobs;
        for (std::size_t to = 1; to < size(); ++to) send(to, message);
        return of_first;
    }
    wait_for([this] { return !steps_[0].empty(); });
    wire::Message message = *step_from(0);
    require_step(message, step, 0);
    nlohmann::json body = std::move(message.header.at("body"));
    message.header = std::move(body);
    return message;
}

std::optional<Exchange::Letter> Exchange::next_letter() {
    read_all();
    if (letters_.empty()) return std::nullopt;
    Letter next = std::move(letters_.front());
    letters_.pop_front();
    return next;
}

Exchange::Letter Exchange::letter() {
    wait_for([this] { return !letters_.empty(); });
    return *next_letter();
}

bool Exchange::fail(const Error& error) {
    wire::Message message;
    if (is_first()) {
        message.header = {{"type", "end"}};
        for (std::size_t to = 1; to < size(); ++to) send(to, message);
    } else if (!ended_) {
        message.header = {{"type", "failed"}, {"host", host()}, {"error", wire::to_json(error)}};
        send(0, message);
    }
    Pause pause;
    for (const auto begin = Clock::now(); Clock::now() - begin < patience; pause.wait()) {
        read_all();
        if (!ranks_.is_sending() && (is_first() || ended_)) return true;
    }
    return is_first();
}

}  // namespace ks
