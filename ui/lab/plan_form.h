#pragma once

#include <QWidget>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/run/bench.h"
#include "core/run/registry.h"
#include "core/wire/wire.h"
#include "ui/shell/page.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace ks::ui::lab {

class SizeFields;
class VariantList;
class VariantListModel;

/// Benchmark settings: analysis, problem, devices, variants, and how often each is run. It remembers the
/// choices for each analysis.
class PlanForm : public QWidget {
    Q_OBJECT
  public:
    explicit PlanForm(std::shared_ptr<const Registry> registry, QWidget* parent = nullptr);
    ~PlanForm() override;

    void setCatalogue(const wire::Catalogue& catalogue);
    void setOpenRequests(std::vector<OpenRequest> open);
    void setRunning(bool running);

    /// One plan per ticked device; the first suitable one includes the host variants. Throws ks::Error(input)
    /// for invalid fields.
    std::vector<BenchPlan> plans() const;
    /// What is missing before a benchmark can start, as a sentence; empty if it can.
    QString missing() const;
    QString analysis() const;
    void choose(const QString& analysis);
    /// Chooses analysis and problem, and ticks only these variants. False: there is no such analysis.
    bool propose(const Measurement& wanted);
    /// Chooses an analysis, and the data of its page as soon as they are available. False: there is no such
    /// analysis.
    bool takePageData(const QString& analysis);
    const AnalysisInfo& info() const;
    /// Of the current row of the list of variants; empty: there is none.
    QString chosenVariant() const;
    /// Puts lists into the size fields, by their ids.
    void setSizes(const std::map<std::string, QString>& lists);

    /// Input and ticks for all analyses.
    nlohmann::json keep() const;
    /// Restores what keep() returned; entries that no longer apply are ignored.
    void bringBack(const nlohmann::json& kept);

    /// Problem, repeats and everything else except devices and variants; nothing if a field is invalid.
    std::optional<BenchPlan> problemPlan() const;
    /// Traits of the problems in that plan, for an analysis: a variant that takes none of the problems cannot
    /// be ticked, and says why.
    void setTraits(const std::string& analysis, std::vector<Traits> problems);

    VariantListModel& variants();
    VariantList& list() { return *list_; }
    QListWidget& devices() { return *devices_; }
    QComboBox& problem() { return *problem_; }
    QSpinBox& repeats() { return *repeats_; }
    QPushButton& run() { return *run_; }
    QPushButton& cancel() { return *cancel_; }

  signals:
    void analysisChanged();
    /// The result of missing() may have changed.
    void changed();
    void runWanted();
    void cancelWanted();

  private:
    /// The user's changes for one analysis.
    struct Choice {
        std::map<std::string, QString> sizes;  ///< by the size's id
        QStringList off, on;                   ///< variants
        QString defines;
    };
    Choice& choice() { return choices_[info().id]; }
    void build();
    QWidget* makeOptions();
    void showAnalysis();
    void showProblems();
    void addProblem(const OpenRequest& of);
    void showDevices();
    void showVariants();
    void showButtons();
    /// Nothing: the problem is generated.
    const OpenRequest* chosenRequest() const;
    std::vector<std::size_t> tickedDevices() const;
    BenchPlan commonPlan() const;

    std::shared_ptr<const Registry> registry_;
    wire::Catalogue catalogue_;
    std::vector<OpenRequest> open_;
    std::map<std::string, Choice> choices_;  ///< by analysis
    std::string traitsAnalysis_;             ///< of `traits_`
    std::vector<Traits> traits_;             ///< of the problems
    QStringList wantedDevices_;              ///< titles; empty: the default one
    QString wantedProblem_;                  ///< title of a page; empty: generated
    bool wantsPageData_ = false;             ///< use the data of the analysis' page as soon as they are open
    bool filling_ = false;                   ///< changes are not the user's
    bool running_ = false;
    QComboBox *analysis_, *problem_;
    SizeFields* sizes_;
    QListWidget* devices_;
    VariantList* list_;
    QSpinBox *repeats_, *warmups_;
    QComboBox *check_, *from_, *sweep_;
    QLineEdit* defines_;
    QPushButton *run_, *cancel_;
};

}  // namespace ks::ui::lab
