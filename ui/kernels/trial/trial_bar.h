#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/kernels/trial/kernel_trial.h"

class QComboBox;
class QPushButton;

namespace ks::ui {

/// How the open kernel is tried: on which data, how often it is timed, and the buttons that begin a run and a
/// check of its accesses.
class TrialBar : public QWidget {
    Q_OBJECT
  public:
    explicit TrialBar(QWidget* parent = nullptr);

    /// What a trial can work on; the first is taken unless a hand chose another one.
    void setDataChoices(const std::vector<TrialDataChoice>& choices);
    TrialData chosenData() const;
    /// Nothing: as many as are soon done.
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
    std::optional<TrialData> wantedData_;  ///< by hand
    QComboBox *data_, *repeats_;
    QPushButton *run_, *check_;
};

}  // namespace ks::ui
