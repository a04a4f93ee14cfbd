#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/run/bench.h"
#include "ui/shell/page.h"
#include "ui/shell/variant_timer.h"
#include "ui/tools/tool_form.h"

class QLineEdit;
class QListWidget;
class QSpinBox;

namespace ks::ui::lab {

class SizeFields;
class VariantList;
class VariantListModel;

/// Benchmark settings: analysis, problem, devices, variants, and how often each is run.
class PlanForm : public ToolForm {
    Q_OBJECT
  public:
    explicit PlanForm(std::shared_ptr<const Registry> registry);

    void setOpenRequests(std::vector<OpenRequest> open);

    /// One plan per ticked device; the first suitable one includes the host variants. Throws ks::Error(input)
    /// for invalid fields.
    std::vector<BenchPlan> plans() const;
    /// Chooses analysis and problem, and ticks only these variants. False: there is no such analysis.
    /// Sizes that the user typed stay.
    bool propose(const Measurement& wanted);
    /// The largest generated problem of the sizes for an analysis. Throws ks::Error(input) for invalid ones.
    TimedSizes timedSizes(const std::string& analysis) const;
    /// Chooses an analysis, and the data of its page as soon as they are available. False: there is no such
    /// analysis.
    bool takePageData(const QString& analysis);
    /// Of the current row of the list of variants; empty: there is none.
    QString chosenVariant() const;
    /// Puts lists into the size fields, by their ids.
    void setSizes(const std::map<std::string, QString>& lists);

    nlohmann::json keep() const override;
    void bringBack(const nlohmann::json& kept) override;

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

  private:
    /// The user's changes for one analysis.
    struct Choice {
        std::map<std::string, QString> sizes;  ///< by the size's id
        std::set<std::string> proposed;        ///< ids of sizes that were not typed
        QStringList off, on;                   ///< variants
        QString defines;
    };
    Choice& choice() { return choices_[info().id]; }
    void build();
    void follow();
    void showAnalysis() override;
    void showCatalogue() override;
    QString lacking() const override;
    void showProblems();
    /// Sizes that have no effect are disabled.
    void showIdle();
    void addProblem(const OpenRequest& of);
    void showDevices();
    void showVariants();
    /// Nothing: the problem is generated.
    const OpenRequest* chosenRequest() const;
    std::vector<std::size_t> tickedDevices() const;
    BenchPlan commonPlan() const;

    std::vector<OpenRequest> open_;
    std::map<std::string, Choice> choices_;  ///< by analysis
    std::string traitsAnalysis_;             ///< of `traits_`
    std::vector<Traits> traits_;             ///< of the problems
    QString wantedProblem_;                  ///< title of a page; empty: generated
    bool wantsPageData_ = false;             ///< use the data of the analysis' page as soon as they are open
    QComboBox* problem_;
    SizeFields* sizes_;
    QListWidget* devices_;
    VariantList* list_;
    QSpinBox *repeats_, *warmups_;
    QComboBox *check_, *from_, *sweep_;
    QLineEdit* defines_;
};

}  // namespace ks::ui::lab
