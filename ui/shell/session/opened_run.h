#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <optional>

#include "core/data/geometry.h"
#include "core/run/run.h"
#include "ui/image/mask/mask_state.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/shell/request_form.h"
#include "ui/shell/session/page_state.h"

namespace ks::ui {

class AnalysisPage;
struct SavedRun;
struct Workbench;

/// Prepares the page for a saved run that is opened: its bins, mask, geometry and parameters become those of
/// the run if the user has changed nothing for the data; otherwise this is offered. If the data of a run have
/// moved, the user can locate them.
class OpenedRun : public QObject {
    Q_OBJECT
  public:
    /// @param bench outlives it
    /// @param whereIs asks the user for the location of a file; empty: no answer
    OpenedRun(Workbench& bench, std::function<QString(const QString& gone)> whereIs,
              QObject* parent = nullptr);

    /// Sets the page's inputs and parameters to those of a run in the table, once they are read.
    void use(int number);

  signals:
    /// The variant of this run in the table is that of the next run now, if it exists here.
    void variantTaken(int number);

  private:
    /// Contents of the run's files, as read by a job.
    struct Inputs {
        std::optional<Geometry> geometry;  ///< nothing: as in the file
        bool swapped = false;
        std::optional<MaskState> mask;  ///< nothing: the analysis has none
    };
    static Inputs readInputs(const Request& request);
    void opened(int number, const SavedRun& saved);
    void look();
    void offer(const QStringList& different);
    /// Of a page, apart from mask and drawn bins.
    struct Taken {
        RequestForm::Choices choices;
        ParameterSet ofPage;                             ///< its own parameters
        std::optional<SessionGeometry::State> geometry;  ///< nothing: it stays
        std::optional<PageState> page;                   ///< of scope `file`
        std::function<void()> beyondRuns;                ///< AnalysisPage::choicesBeyondRuns()
    };
    Taken present(const AnalysisPage& page, const QString& analysis) const;
    /// Everything but `page`.
    void setForms(AnalysisPage& page, const QString& analysis, const Taken& taken);
    /// In one step of the history.
    void take(int number, const Inputs& inputs);
    void askWhere(int number, const std::string& gone);
    /// Asks for the first repeat of an average that is not there.
    void askWhereRepeatsAre(int number);
    AnalysisPage* pageOf(const Run& run) const;
    /// Labels of what would be different in the next run of the page: "bins", "Maximum delay".
    QStringList different(const AnalysisPage& page, const Run& run) const;
    /// Whether the page has another variant, or other values of its own parameters, such as the fit.
    bool hasOtherChoices(const AnalysisPage& page, const Run& run) const;
    bool namesOtherFiles(const Request& request) const;
    bool changedByHand(const AnalysisPage& page) const;

    Workbench& bench_;
    std::function<QString(const QString&)> whereIs_;
    QTimer look_;
    int waited_ = 0;        ///< how often look() found the data still being read
    int number_ = 0;        ///< of the current run
    bool wasOpen_ = false;  ///< its data were open before it
};

}  // namespace ks::ui
