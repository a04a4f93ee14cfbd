#pragma once

#include <QObject>
#include <optional>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/run/analysis.h"
#include "core/run/request.h"
#include "ui/files/disk_states.h"

namespace ks::ui {

/// The input file that an error is about. Once it has changed on disk, or is there again, the error says
/// nothing any more.
class ErrorCauses : public QObject {
    Q_OBJECT
  public:
    /// @param jobs outlives it
    explicit ErrorCauses(Jobs& jobs, QObject* parent = nullptr);

    /// Watches the file that the error names, if it is one of the request's inputs.
    /// @param request null: there is none, and the file that the error names is one
    void watch(const Error& error, const AnalysisInfo* info, const Request* request);
    void end();

  signals:
    /// It is not as it was after watch(). Comes once.
    void changed();

  private:
    void compare();

    DiskStates disk_;
    std::optional<DiskStates::States> then_;  ///< nothing: not looked at yet
};

}  // namespace ks::ui
