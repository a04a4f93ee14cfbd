#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ui/base/newest.h"
#include "ui/tools/tool_page.h"
#include "ui/tune/configurations.h"

class QLabel;
class QPushButton;

namespace ks::ui {
class ElidedLabel;
class FilteredTable;
}  // namespace ks::ui

namespace ks::ui::tune {

class KeptPanel;
class KeptTuning;
class ParallelPlot;
class RatioMap;
class TuneForm;
class TuneTableModel;

/// Finds values of a variant's defines that suit a device and a kind of problem: the settings at the left,
/// configurations in the middle, all results and the kept values below. The newest tuning of each analysis
/// and variant is kept, and shown again when the variant is chosen.
class TunePage : public ToolPage {
    Q_OBJECT
  public:
    explicit TunePage(PageContext& context);

    QString id() const override { return QStringLiteral("tune"); }
    QString title() const override { return tr("Tune"); }
    int order() const override { return 96; }
    void start() override;
    KernelChoice kernelChoice() const override;

    /// Continues with the previous results.
    void resume();
    /// Adds the best configuration to the user's table; failed() if it is not significantly better.
    void keepBest();
    /// Writes the configurations tried, as `tune --json` does. Throws ks::Error(input).
    void saveTuning(const QString& path, bool overwrite) const;
    /// Reads a file written by `tune --json` or this page, in a job; ends with opened() or failed().
    void openTuning(const QString& path);

    /// The configurations tried; null: none.
    const std::shared_ptr<const TuneReport>& report() const { return tuned_.newest().report; }
    /// The final comparison of the displayed tuning is complete.
    bool complete() const { return tuned_.newest().complete; }
    /// Shows the tuning that the displayed one replaced, and the other way round.
    void showPrevious();
    /// "ITEMS=2 WG=64: 0.81 x the default's time (0.78 to 0.84) in the final comparison", or the progress.
    QString resultText() const;

    TuneForm& form() { return *form_; }
    ParallelPlot& lines() { return *lines_; }
    RatioMap& map() { return *map_; }
    FilteredTable& table() { return *table_; }
    TuneTableModel& model() { return *model_; }
    KeptPanel& kept() { return *kept_; }
    QPushButton& keepButton() { return *keepButton_; }

  protected:
    void showEvent(QShowEvent* event) override;
    void refresh() override;
    QString leafOf() const override;

  private:
    QWidget* makeResult();
    void makeActions();
    void makeTable(const std::vector<DefineAxis>& axes);
    void followDesk();
    void begin(std::shared_ptr<const TuneReport> before);
    void setRunning(bool running);
    void addPart(std::size_t first, const TuneReport& part);
    void showRows();
    void showResult();
    void showResumable();
    /// The form has changed: if another variant was chosen, its tuning is shown.
    void followForm();
    void choose(std::size_t row);
    /// The user's kernel has another text now than in the displayed tuning.
    bool hasFormerText() const;
    /// What has changed since the displayed tuning: "Size", "text of user.mine".
    QStringList changedSince() const;
    /// "NVIDIA H200, 2026-11-24": an opened report may be from a device that is not present.
    QString measuredOn() const;
    QString whyNotKept() const;
    QString progressText() const;
    QString bestText() const;
    void askSave();
    void askOpen();

    struct Tuned {
        std::shared_ptr<const TuneReport> report = {};
        bool complete = false;  ///< with the final comparison

        bool empty() const { return !report || report->rows.empty(); }
        /// A stopped one can be resumed: it counts from its first configuration on.
        bool replaces() const { return !empty(); }
    };

    /// Of its analysis and variant.
    using Subject = std::pair<std::string, std::string>;
    static Subject subjectOf(const TuneReport& report) { return {report.plan.analysis, report.plan.variant}; }
    /// Keeps the last tuning as the newest of its subject.
    void remember();
    /// Shows a tuning that was not made just now; the displayed one becomes the previous one.
    void display(const Tuned& other);
    /// Puts its settings into the form.
    void takeSettings(const TuneReport& of);

    Tuning* tuning_;
    Newest<Tuned> tuned_;
    Tuned previous_;                  ///< replaced by the displayed one
    std::map<Subject, Tuned> known_;  ///< the newest ones
    Subject chosen_;                  ///< in the form
    bool taking_ = false;             ///< settings into the form: the choice is not the user's
    SharedConfigurations shown_ = std::make_shared<const Configurations>();
    bool running_ = false;
    std::optional<Error> refused_ = {};  ///< about the last file, if it could not be opened
    bool resumed_ = false;               ///< the running tuning continues the previous one
    bool isKept_ = false;                ///< the best configuration shown
    std::function<void()> starts_;       ///< asked for, and waits until the configurations are counted
    TuneForm* form_;
    ParallelPlot* lines_;
    RatioMap* map_;
    QLabel* result_;
    ElidedLabel* outdated_;
    QPushButton* keepButton_;
    QWidget* tablePlace_;
    TuneTableModel* model_ = nullptr;
    FilteredTable* table_ = nullptr;
    KeptPanel* kept_;
    KeptTuning* keptTuning_;
    QAction *saveAction_ = nullptr, *previousAction_ = nullptr;
};

}  // namespace ks::ui::tune
