#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/ranks/ranks.h"
#include "core/wire/wire.h"

namespace ks {

/// What ranks send to each other, as messages of core/wire:
///   {"type":"step","step":s,"body":..}            payload of gathered() and told(), whose steps are
///                                                 the same at all ranks
///   {"type":"progress","fraction":f,"stage":s}    to rank 0
///   {"type":"failed","error":..}                  to rank 0: this rank cannot continue
///   {"type":"end"}                                from rank 0: all stop
/// and further types, which letter() returns. Messages are read whenever a rank waits or reports progress.
/// If rank 0 ends all, or another rank fails, the progress is cancelled: work stops as if a user had
/// requested it. An error that all ranks have in common is reported by rank 0, which therefore
/// continues for a moment.
class Exchange {
  public:
    /// Both must outlive it.
    Exchange(Ranks& ranks, Progress& progress) : ranks_(ranks), progress_(progress) {}
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    std::size_t rank() const { return ranks_.rank(); }
    std::size_t size() const { return ranks_.size(); }
    std::size_t local_rank() const { return ranks_.local_rank(); }
    std::string host() const { return ranks_.host(); }
    bool is_first() const { return rank() == 0; }

    /// At rank 0: returns the messages of all ranks, by rank. Elsewhere: returns nothing, as soon as `mine`
    /// has been sent. Throws ks::Error(cancelled) if the progress was cancelled.
    std::vector<wire::Message> gathered(const std::string& step, wire::Message mine);
    /// The message of rank 0, at all ranks; the argument of other ranks is ignored. Throws
    /// as gathered() does.
    wire::Message told(const std::string& step, wire::Message of_first);

    /// These functions send and receive messages of further types. letter() waits, and throws as gathered()
    /// does; next_letter() does neither.
    void send(std::size_t to, const wire::Message& message);
    struct Letter {
        std::size_t from = 0;
        wire::Message message;
    };
    Letter letter();
    std::optional<Letter> next_letter();

    /// The joint progress of all ranks in a stage.
    using Show = std::function<void(double fraction, const std::string& stage)>;
    /// Sets what rank 0 does with the joint progress.
    void show_by(Show show) { show_ = std::move(show); }
    /// The listener of every rank's progress: informs rank 0 and reads messages. Reports from threads other
    /// than the one that communicates are ignored.
    void report(double fraction, const std::string& stage);

    /// Why another rank stopped this one, with rank and host; nothing if none did.
    const std::optional<Error>& failure() const { return failure_; }
    /// Sends the last message of a rank that cannot continue. The error of a rank that was merely stopped is
    /// not sent. At rank 0, this ends all other ranks. Any other rank waits until rank 0 has received the
    /// message.
    /// @return whether rank 0 knows; false if it does not answer
    bool fail(const Error& error);

  private:
    void read_all();
    void take(std::size_t from, wire::Message message);
    void take_progress(std::size_t from, const wire::Message& message);
    void show(const std::string& stage);
    void wait_for(const std::function<bool()>& done);
    /// A rank's message of a step, if it has arrived.
    std::optional<wire::Message> step_from(std::size_t from);
    void require_step(const wire::Message& message, const std::string& step, std::size_t from) const;

    Ranks& ranks_;
    Progress& progress_;
    std::thread::id speaker_ = std::this_thread::get_id();
    Show show_;
    std::map<std::size_t, std::deque<wire::Message>> steps_;  ///< by the rank that sent them
    std::deque<Letter> letters_;
    std::optional<Error> failure_;
    std::int64_t failed_ns_ = 0;  ///< when that arrived
    bool ended_ = false;          ///< by rank 0
    /// Progress of each rank per stage that it reported: a stage that it has left is finished.
    std::map<std::size_t, std::map<std::string, double>> fractions_;
    std::map<std::size_t, std::string> stages_;  ///< the current one
    std::int64_t told_progress_ns_ = 0;
    std::string told_stage_;
};

/// How messages of rank 0 name a rank: "rank 2 on node7".
std::string name_of_rank(std::size_t rank, const std::string& host);
/// The same error, preceded by the rank it happened on, for reporting elsewhere.
Error error_of_rank(const Error& error, const std::string& who);

}  // namespace ks
