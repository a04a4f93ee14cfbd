#pragma once

#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/tune/tuner.h"
#include "ui/base/jobs.h"
#include "ui/base/parameter_form.h"
#include "ui/tools/tool_form.h"
#include "ui/tune/define_values.h"

class QLabel;
class QLineEdit;
class QSpinBox;

namespace ks::ui::tune {

/// Tuning settings: analysis, variant, device, problem, the values of the defines and their rules, and the
/// search method. It remembers the choices for each variant.
class TuneForm : public ToolForm {
    Q_OBJECT
  public:
    TuneForm(std::shared_ptr<const Registry> registry, Jobs& jobs);

    /// Whether an earlier tuning can be continued; otherwise `why` not.
    void setResumable(bool resumable, const QString& why);

    /// Throws ks::Error(input) for invalid fields.
    TunePlan plan() const;
    /// "18 of 24 combinations satisfy the rules", or why there is none.
    QString spaceText() const;
    /// Whether the space is known for the current values of the fields.
    bool counted() const { return counted_; }
    /// The chosen one; null: there is none with definitions on the device.
    const Variant* variant() const;
    const DeviceInfo* device() const;

    /// Puts a plan into the fields.
    /// @param of the device named by the plan
    void take(const TunePlan& plan, const DeviceInfo& of);
    nlohmann::json keep() const override;
    void bringBack(const nlohmann::json& kept) override;

    QComboBox& variants() { return *variants_; }
    QComboBox& devices() { return *devices_; }
    ParameterForm& sizes() { return *sizes_; }
    DefineValues& values() { return *values_; }
    QLineEdit& rules() { return *further_; }
    QComboBox& method() { return *method_; }
    QSpinBox& budget() { return *budget_; }
    QSpinBox& repeats() { return *repeats_; }
    QPushButton& resume() { return *resume_; }

  signals:
    void resumeWanted();

  private:
    /// The user's changes for one variant.
    struct Choice {
        DefineValues::Values off, typed;
        QString rules;
    };
    void build();
    void follow();
    void showAnalysis() override;
    void showCatalogue() override;
    void showButtons() override;
    QString lacking() const override;
    void showDevices();
    void showVariants();
    void showVariant();
    void showRules();
    /// Stores the contents of the fields of sizes, values and rules, and counts the space again.
    void edited();
    void countSpace();
    void showSpace();
    const std::vector<Offer>* offers() const;
    const Offer* offer() const;
    std::vector<std::string> furtherRules() const;
    Choice& choice();

    Jobs& jobs_;
    std::map<std::string, ParameterSet> chosenSizes_;                ///< by analysis
    std::map<std::string, std::string> chosenVariants_;              ///< by analysis
    std::map<std::pair<std::string, std::string>, Choice> choices_;  ///< by analysis and variant
    bool resumable_ = false, counted_ = false;
    QString whyNotResumable_, spaceWrong_;
    std::optional<std::pair<std::size_t, std::size_t>> space_;  ///< valid ones of all combinations
    QTimer countSoon_;
    QComboBox *variants_, *devices_;
    ParameterForm* sizes_;
    DefineValues* values_;
    QLabel *rulesText_, *spaceText_;
    QLineEdit* further_;
    QComboBox *method_, *check_;
    QSpinBox *budget_, *seed_, *repeats_;
    QPushButton* resume_;
};

}  // namespace ks::ui::tune
