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

/// What is tuned: analysis, variant, device, problem, the values of the defines and their rules, and how it
/// is searched. It remembers what was chosen for each analysis and each variant.
class TuneForm : public QWidget {
    Q_OBJECT
  public:
    TuneForm(std::shared_ptr<const Registry> registry, Jobs& jobs, QWidget* parent = nullptr);
    ~TuneForm() override;

    void setCatalogue(const wire::Catalogue& catalogue);
    void setRunning(bool running);
    /// Where what was tried can be gone on with; `why` else.
    void setResumable(bool resumable, const QString& why);

    /// Throws ks::Error(input) for what fields do not take.
    TunePlan plan() const;
    /// What a tuning still needs, as a sentence; empty where it can start.
    QString missing() const;
    /// "18 of 24 combinations fulfil the rules", or why there is none.
    QString spaceText() const;
    /// Whether the space is known for what the fields have now.
    bool counted() const { return counted_; }
    const AnalysisInfo& info() const;
    /// The chosen one; null: there is none with definitions on the device.
    const Variant* variant() const;
    const DeviceInfo* device() const;

    /// Puts a plan into the fields.
    /// @param of the device that it names
    void take(const TunePlan& plan, const DeviceInfo& of);
    /// What was chosen, of all analyses.
    nlohmann::json keep() const;
    /// What keep() gave; what has no meaning is left out.
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
    /// What missing() says, or what would be tuned, may be something else now.
    void changed();
    void runWanted();
    void resumeWanted();
    void cancelWanted();

  private:
    /// What a hand has changed for one variant.
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
    /// What the fields of sizes, values and rules have is kept, and the space is counted anew.
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
    QString wantedDevice_;                                           ///< title; empty: the standard one
    bool filling_ = false;                                           ///< not by hand
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
