#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/xpcs/live/live_pairs.h"
#include "ui/base/jobs.h"
#include "ui/files/open_file.h"
#include "ui/runs/desk.h"

namespace ks::ui::xpcs {

/// The pairs of frames of the bins as they are now, which the worker computes once the inputs rest.
class PairsOfInputs : public QObject {
    Q_OBJECT
  public:
    /// Both outlive it.
    PairsOfInputs(Desk& desk, Jobs& jobs, QObject* parent = nullptr);

    struct Sizes {
        std::size_t frames, frames_in_file, bins, pixels;
    };
    /// Files besides the open one, by the role of the input; see AnalysisPage::InputState.
    using Files = std::map<std::string, DataFiles>;
    /// The pairs for this next run are wanted, of problems of this size and of these states of the files.
    void want(const Request& next, const Sizes& sizes, const Files& files = {});
    /// Those that are there, or are being computed, are the ones that this run needs.
    bool areOf(const Request& next, const Files& files = {}) const;
    /// None are wanted; those that are there are dropped.
    void drop();
    /// Of the inputs wanted last; null: there are none yet.
    const std::shared_ptr<ks::xpcs::LivePairs>& pairs() const { return pairs_; }
    /// Why there are none; empty: they are being computed, or none are wanted.
    const QString& problem() const { return problem_; }

  signals:
    /// pairs() or problem() has changed.
    void changed();

  private:
    struct Asked {
        Request next;  ///< of the page
        Sizes sizes;
        bool keepsLeftOut;  ///< frames that it leaves out or skips have no pairs
    };
    void ask();
    /// Answers to earlier questions are of earlier inputs.
    bool isNewest(int question) const { return asked_ && !rests_.isActive() && question == question_; }
    void take(int question, std::shared_ptr<const Run> made);
    void fail(int question, const Error& error);
    /// Once more without the frames that are left out or skipped; false: that was so already, or none are.
    bool askWithoutLeftOut();

    Desk& desk_;
    Jobs& jobs_;
    QTimer rests_;
    std::optional<Asked> asked_;
    Files files_;       ///< of what was wanted last
    int question_ = 0;  ///< number of the newest one
    std::shared_ptr<ks::xpcs::LivePairs> pairs_;
    QString problem_;
};

}  // namespace ks::ui::xpcs
