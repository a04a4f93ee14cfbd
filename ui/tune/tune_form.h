#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/run/registry.h"
#include "core/tune/tuner.h"
#include "core/wire/wire.h"
#include "ui/base/jobs.h"
#include "ui/base/parameter_form.h"
#include "ui/tune/define_values.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace ks::ui::tune {

/// Tuning settings: analysis, variant, device, problem, the values of the defines and their rules, and the
/// search method. It remembers the choices for each analysis and each variant.
class TuneForm : public QWidget {
    Q_OBJECT
  public:
    TuneForm(std::shared_ptr<const Registry> registry, Jobs& jobs, QWidget* parent = nullptr);
    ~TuneForm() override;

    void setCatalogue(const wire::Catalogue& catalogue);
    void setRunning(bool running);
    /// Whether an earlier tuning can be continued; otherwise `why` not.
    void setResumable(bool resumable, const QString& why);

    /// Throws ks::Error(input) for invalid fields.
    TunePlan plan() const;
    /// What is missing before a tuning can start, as a sentence; empty if it can.
    QString missing() const;
    /// "18 of 24 combinations fulfil the rules", or why there is none.
    QString spaceText() const;
    /// Whether the space is known for the current values of the fields.
    bool counted() const { return counted_; }
    const AnalysisInfo& info() const;
    /// The chosen one; null: there is none with definitions on the device.
    const Variant* variant() const;
    const DeviceInfo* device() const;

    /// Puts a plan into the fields.
    /// @param of the device named by the plan
    void take(const TunePlan& plan, const DeviceInfo& of);
    /// Choices for all analyses.
    nlohmann::json keep() const;
    /// Restores what keep() returned; entries that no longer apply are ignored.
    void bringBack(const nlohmann::json& kept);

    QComboBox& analysis() { return *analysis_; }
    QComboBox& variants() { return *variants_; }
    QComboBox& devices() { return *devices_; }
    ParameterForm& sizes() { return *sizes_; }
    DefineValues& values() { return *values_; }
    QLineEdit& rules() { return *further_; }
    QComboBox& method() { return *method_; }
    QSpinBox& budget() { return *budget_; }
    QSpinBox& repeats() { return *repeats_; }
    QPushButton& run() { return *run_; }
    QPushButton& resume() { return *resume_; }
    QPushButton& cancel() { return *cancel_; }

  signals:
    /// The result of missing(), or the plan, may have changed.
    void changed();
    void runWanted();
    void resumeWanted();
    void cancelWanted();

  private:
    /// The user's changes for one variant.
    struct Choice {
        DefineValues::Values off, typed;
        QString rules;
    };
    void build();
    QWidget* makeSearch();
    void follow();
    void showAnalysis();
    void showDevices();
    void showVariants();
    void showVariant();
    void showRules();
    void showButtons();
    /// Stores the contents of the fields of sizes, values and rules, and counts the space again.
    void edited();
    void countSpace();
    void showSpace();
    const std::vector<Offer>* offers() const;
    const Offer* offer() const;
    std::vector<std::string> furtherRules() const;
    Choice& choice();

    std::shared_ptr<const Registry> registry_;
    Jobs& jobs_;
    wire::Catalogue catalogue_;
    std::map<std::string, ParameterSet> chosenSizes_;                ///< by analysis
    std::map<std::string, std::string> chosenVariants_;              ///< by analysis
    std::map<std::pair<std::string, std::string>, Choice> choices_;  ///< by analysis and variant
    QString wantedDevice_;                                           ///< title; empty: the default one
    bool filling_ = false;                                           ///< changes are not the user's
    bool running_ = false, resumable_ = false, counted_ = false;
    QString whyNotResumable_, spaceWrong_;
    std::optional<std::pair<std::size_t, std::size_t>> space_;  ///< valid ones of all combinations
    QTimer countSoon_;
    QComboBox *analysis_, *variants_, *devices_;
    ParameterForm* sizes_;
    DefineValues* values_;
    QLabel *rulesText_, *spaceText_;
    QLineEdit* further_;
    QComboBox *method_, *check_;
    QSpinBox *budget_, *seed_, *repeats_;
    QPushButton *run_, *resume_, *cancel_;
};

}  // namespace ks::ui::tune
