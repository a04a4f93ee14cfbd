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

/// What ranks say to each other, as messages of core/wire:
///   {"type":"step","step":s,"body":..}      what gathered() and told() pass on; all ranks take the same
///   steps
///   {"type":"progress","fraction":f,"stage":s}  to rank 0
///   {"type":"failed","error":..}            to rank 0: this rank cannot go on
///   {"type":"end"}                          of rank 0: nobody goes on
/// and further types, which go to letter(). A rank that waits, or reports its progress, reads what came.
/// Where rank 0 ended all, or another rank failed, the progress is cancelled: what runs stops as it does for
/// a user who asks for it. What fails at all ranks alike is rank 0's to tell, which therefore goes on for a
/// moment.
class Exchange {
  public:
    /// Both outlive it.
    Exchange(Ranks& ranks, Progress& progress) : ranks_(ranks), progress_(progress) {}
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    std::size_t rank() const { return ranks_.rank(); }
    std::size_t size() const { return ranks_.size(); }
    std::size_t local_rank() const { return ranks_.local_rank(); }
    std::string host() const { return ranks_.host(); }
    bool is_first() const { return rank() == 0; }

    /// Of each rank its message, by rank, at rank 0; none elsewhere, where it returns once `mine` has left.
    /// Throws ks::Error(cancelled) where the progress was.
    std::vector<wire::Message> gathered(const std::string& step, wire::Message mine);
    /// The message of rank 0, at all ranks; the others' own is not looked at. Throws as gathered() does.
    wire::Message told(const std::string& step, wire::Message of_first);

    /// A message of a type of its own, and the next one that came. letter() waits and throws as gathered()
    /// does; next_letter() does neither.
    void send(std::size_t to, const wire::Message& message);
    struct Letter {
        std::size_t from = 0;
        wire::Message message;
    };
    Letter letter();
    std::optional<Letter> next_letter();

    /// How far all ranks are together in a stage.
    using Show = std::function<void(double fraction, const std::string& stage)>;
    /// What rank 0 does with the progress of all.
    void show_by(Show show) { show_ = std::move(show); }
    /// The listener of every rank's progress: tells rank 0, and reads what came. What other threads report
    /// than the one that speaks to ranks is not heard.
    void report(double fraction, const std::string& stage);

    /// Why this rank was told to stop by another one: names rank and host. Nothing where it was not.
    const std::optional<Error>& failure() const { return failure_; }
    /// The last words of a rank that cannot go on; the error of one that only stops, as others do, is not
    /// told. Of rank 0 they end all others. Another rank waits until rank 0 knows.
    /// @return whether rank 0 knows; where not, it does not answer
    bool fail(const Error& error);

  private:
    void read_all();
    void take(std::size_t from, wire::Message message);
    void take_progress(std::size_t from, const wire::Message& message);
    void show(const std::string& stage);
    void wait_for(const std::function<bool()>& done);
    /// A step's message of a rank, once it has come.
    std::optional<wire::Message> step_from(std::size_t from);
    void require_step(const wire::Message& message, const std::string& step, std::size_t from) const;

    Ranks& ranks_;
    Progress& progress_;
    std::thread::id speaker_ = std::this_thread::get_id();
    Show show_;
    std::map<std::size_t, std::deque<wire::Message>> steps_;  ///< by the rank that sent them
    std::deque<Letter> letters_;
    std::optional<Error> failure_;
    std::int64_t failed_ns_ = 0;  ///< when that came
    bool ended_ = false;          ///< by rank 0
    /// How far a rank is in each stage that it told of: one that it left is done.
    std::map<std::size_t, std::map<std::string, double>> fractions_;
    std::map<std::size_t, std::string> stages_;  ///< where it is
    std::int64_t told_progress_ns_ = 0;
    std::string told_stage_;
};

/// Of what rank 0 shows: "rank 2 on node7".
std::string name_of_rank(std::size_t rank, const std::string& host);
/// The same error with who had it in front, as it is told where it did not happen.
Error error_of_rank(const Error& error, const std::string& who);

}  // namespace ks
