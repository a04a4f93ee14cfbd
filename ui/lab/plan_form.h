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

/// What is timed: analysis, problem, devices, variants, and how often. It remembers what was chosen for each
/// analysis.
class PlanForm : public QWidget {
    Q_OBJECT
  public:
    explicit PlanForm(std::shared_ptr<const Registry> registry, QWidget* parent = nullptr);
    ~PlanForm() override;

    void setCatalogue(const wire::Catalogue& catalogue);
    void setOpenRequests(std::vector<OpenRequest> open);
    void setRunning(bool running);

    /// A plan a device that is ticked; the first one that can has the variants of the host. Throws
    /// ks::Error(input) for what fields do not take.
    std::vector<BenchPlan> plans() const;
    /// What a benchmark still needs, as a sentence; empty where it can start.
    QString missing() const;
    QString analysis() const;
    void choose(const QString& analysis);
    /// Chooses analysis and problem, and ticks these variants alone. False: it has no such analysis.
    bool propose(const Measurement& wanted);
    /// Chooses an analysis, and what its page has open as soon as that is there. False: it has no such one.
    bool takePageData(const QString& analysis);
    const AnalysisInfo& info() const;
    /// Of the current row of the list of variants; empty: there is none.
    QString chosenVariant() const;
    /// Puts lists into the fields of sizes, by their ids.
    void setSizes(const std::map<std::string, QString>& lists);

    /// What was typed and ticked, of all analyses.
    nlohmann::json keep() const;
    /// What keep() gave; what has no meaning is left out.
    void bringBack(const nlohmann::json& kept);

    /// Problem, repeats and all else but devices and variants; nothing where a field does not take its text.
    std::optional<BenchPlan> problemPlan() const;
    /// What is known of the problems of that plan, of an analysis: a variant that takes none of them cannot
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
    /// What missing() says may be something else now.
    void changed();
    void runWanted();
    void cancelWanted();

  private:
    /// What a hand has changed for one analysis.
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
    std::string traitsAnalysis_;             ///< whose `traits_` are
    std::vector<Traits> traits_;             ///< of the problems
    QStringList wantedDevices_;              ///< titles; empty: the standard one
    QString wantedProblem_;                  ///< title of a page; empty: generated
    bool wantsPageData_ = false;  ///< what the analysis' page has open is the problem as soon as it is there
    bool filling_ = false;        ///< not by hand
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
