#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/kernels/trial/kernel_trial.h"

class QComboBox;
class QPushButton;

namespace ks::ui {

/// Settings of a trial of the open kernel: its data and repeats, and the buttons that start a run or an
/// access check.
class TrialBar : public QWidget {
    Q_OBJECT
  public:
    explicit TrialBar(QWidget* parent = nullptr);

    /// Data that a trial can use; the first choice is used unless the user chose another one.
    void setDataChoices(const std::vector<TrialDataChoice>& choices);
    TrialData chosenData() const;
    /// Nothing: as many as fit into a short time.
    std::optional<int> chosenRepeats() const;
    /// Whether a kernel is open.
    void setUsable(bool usable);

    QComboBox& data() { return *data_; }
    QComboBox& repeats() { return *repeats_; }
    QPushButton& runButton() { return *run_; }
    QPushButton& checkButton() { return *check_; }

  signals:
    void runWanted();
    void checkWanted();

  private:
    void fillRepeats();

    std::vector<TrialDataChoice> choices_;
    std::optional<TrialData> wantedData_;  ///< by the user
    QComboBox *data_, *repeats_;
    QPushButton *run_, *check_;
};

}  // namespace ks::ui
