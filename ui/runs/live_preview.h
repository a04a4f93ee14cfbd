#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks::ui {

class RunQueue;

/// Results while a hand is changing the inputs. The newest request wins. The work is reduced until a result
/// takes about `goal`; when no newer request has come meanwhile, the most that is previewed is computed, and
/// given up as soon as a newer one comes. Reduced work that takes much longer than expected, since it is of
/// other inputs than those from which its share is known, is given up for less of it.
class LivePreview : public QObject {
    Q_OBJECT
  public:
    struct Wanted {
        Request request;
        bool whole;         ///< nothing was left out
        bool most = false;  ///< something was, but no more is previewed
    };
    /// The request for the inputs as they are now with about `share` of the work; nothing where none is
    /// possible.
    using MakeRequest = std::function<std::optional<Wanted>(double share)>;
    /// The result for the inputs as they are now, if it is there at once; else null.
    using AtOnce = std::function<std::shared_ptr<const Run>()>;
    static constexpr int goal = 35;  ///< milliseconds from the request to its result
    static constexpr int patience =
        10 * goal;  ///< milliseconds after which reduced work is given up for less

    LivePreview(RunQueue& queue, MakeRequest make, AtOnce atOnce, QObject* parent = nullptr);

    /// The inputs are other ones.
    void changed();
    /// No further result is wanted.
    void stop();
    /// Other data: how long they take is not known.
    void reset();
    /// What was shown last is of other inputs than those of the newest change.
    bool behind() const { return behind_; }
    /// The queue had no turn for the newest change; changed() asks again.
    bool turnedAway() const { return turnedAway_; }
    /// Share of the work in the newest request.
    double share() const { return share_; }

  signals:
    /// @param whole nothing was left out
    void ready(std::shared_ptr<const ks::Run> run, bool whole);
    void failed(const ks::Error& error);
    /// Nothing can be shown of the inputs as they are now.
    void none();

  private:
    /// Shows a result that is there at once; false: none is.
    bool showAtOnce();
    void ask(double share);
    /// What is under way lasts too long: less of it, if there is less.
    void askLess();
    void onReady(std::shared_ptr<const Run> run);
    void onFailed(const Error& error);

    RunQueue& queue_;
    MakeRequest make_;
    AtOnce atOnce_;
    QElapsedTimer since_;
    static constexpr double firstShare = 1.0 / 16;
    double reduced_ = firstShare;  ///< share that meets the goal, as far as known
    double share_ = 0;             ///< of the request under way, 1: no more is previewed; 0: none
    bool whole_ = false;           ///< nothing is left out of it
    double asked_ = 0;             ///< the share that it was made for: the page may have left out less
    bool newer_ = false;           ///< the inputs changed since
    bool behind_ = false;          ///< they did, and no result has come
    bool turnedAway_ = false;      ///< and no request for it is under way, because the queue was busy
    QTimer tooLong_;               ///< runs while reduced work is under way
};

}  // namespace ks::ui
