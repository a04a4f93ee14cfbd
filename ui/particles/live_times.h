#pragma once

#include <QElapsedTimer>
#include <QStringList>
#include <memory>
#include <utility>

#include "core/run/run.h"

namespace ks::ui::particles {

/// Times from an edit to the pictures of the previews that answer it.
class LiveTimes {
  public:
    /// Time runs from the first edit that no request contains yet.
    void edited() {
        if (!edited_.isValid()) edited_.start();
    }
    /// The edits until now get no preview.
    void dropEdits() { edited_.invalidate(); }
    /// A request contains the edits until now.
    void requested() {
        if (edited_.isValid()) asked_ = std::exchange(edited_, {});
    }
    /// A preview of the newest request; null: none is shown any more.
    void setPreview(std::shared_ptr<const Run> run);
    /// A picture of this run is ready and painted next.
    void pictured(const std::shared_ptr<const Run>& run);
    /// The picture with `side` x `side` targets per plane was painted. False: it answers no edit.
    bool painted(std::size_t side);
    /// The first sums of other data are not a response to an edit.
    void reset() { *this = {}; }

    /// "31 ms at 400 x 400, ...": of the previews that answer one edit; empty: none.
    QString text() const { return times_.join(QStringLiteral(", ")); }
    /// Milliseconds from the newest edit that was answered; negative: none was.
    double latency() const { return latency_; }

  private:
    QElapsedTimer edited_, asked_;      ///< since the first edit not yet in a request; of the newest request
    std::shared_ptr<const Run> timed_;  ///< the preview that has not been painted yet
    QElapsedTimer since_;               ///< since the edit that it answers
    bool timing_ = false;               ///< its picture is ready and is painted next
    QStringList times_;
    QElapsedTimer told_;  ///< since the edit that times_ answer
    double latency_ = -1;
};

}  // namespace ks::ui::particles
