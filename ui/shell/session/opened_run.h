#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "core/data/geometry.h"
#include "core/run/registry.h"
#include "core/run/run.h"
#include "ui/image/mask/mask_state.h"
#include "ui/shell/session/notice_bar.h"

namespace ks::ui {

class FileSession;
class Page;
class RequestForm;
class RunTableModel;
struct PageContext;
struct SavedRun;

/// What the page of a saved run that is opened has to do with that run: its bins, mask, geometry and
/// parameters become those of the run where nothing was changed by hand on the data, else this is offered. A
/// run whose data lie elsewhere now can be told where.
class OpenedRun : public QObject {
    Q_OBJECT
  public:
    /// All but the registry outlive it.
    /// @param whereIs asks the user where a file is; empty: no answer
    OpenedRun(FileSession& files, RequestForm& request, RunTableModel& runs, const PageContext& context,
              std::shared_ptr<const Registry> registry, std::function<QString(const QString& gone)> whereIs,
              QObject* parent = nullptr);

    /// The page's inputs and parameters become those of a run of the table, once they are read.
    void use(int number);

  signals:
    void message(const QString& text, int milliseconds = 0);
    void noticed(const ks::ui::Notice& notice);
    void noticeEnded(const QString& id);
    void failed(const ks::Error& error);

  private:
    /// Of the run's files, as a job reads it.
    struct Inputs {
        std::optional<Geometry> geometry;  ///< nothing: as the file says
        bool swapped = false;
        std::optional<MaskState> mask;  ///< nothing: the analysis has none
    };
    static Inputs readInputs(const Request& request);
    void opened(int number, const SavedRun& saved);
    void look();
    void offer(const QStringList& different);
    void take(int number, const Inputs& inputs);
    void askWhere(int number, const std::string& gone);
    Page* pageOf(const Run& run) const;
    /// Of what the next run of the page would have otherwise: "bins", "Maximum delay".
    QStringList different(const Page& page, const Run& run) const;
    bool namesOtherFiles(const Request& request) const;
    bool changedByHand(const Page& page) const;

    FileSession& files_;
    RequestForm& request_;
    RunTableModel& runs_;
    const PageContext& context_;
    std::shared_ptr<const Registry> registry_;
    std::function<QString(const QString&)> whereIs_;
    QTimer look_;
    int waited_ = 0;        ///< times that look() found the data on their way
    int number_ = 0;        ///< of the run that is looked at
    bool wasOpen_ = false;  ///< its data were open before it
};

}  // namespace ks::ui
