#pragma once

#include <QDialog>
#include <QTimer>
#include <cstdint>
#include <filesystem>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace ks::ui {

class MainWindow;
class NumberBox;

/// Whether the tour has been shown.
inline constexpr const char* tourSeenKey = "tourSeen";

/// Bytes of all files below a folder; 0 if there is none.
std::uint64_t bytesIn(const std::filesystem::path& folder);

/// Settings that apply to all starts. Every change applies immediately.
class SettingsDialog : public QDialog {
    Q_OBJECT
  public:
    explicit SettingsDialog(MainWindow& window);

    QComboBox& device() { return *device_; }
    NumberBox& memory() { return *memory_; }
    QSpinBox& threads() { return *threads_; }
    QSpinBox& kernelLimit() { return *kernelLimit_; }
    QCheckBox& tuned() { return *tuned_; }
    QComboBox& theme() { return *theme_; }
    QComboBox& session() { return *session_; }
    QCheckBox& tour() { return *tour_; }
    QCheckBox& detector() { return *detector_; }
    QPushButton& clearCache() { return *clear_; }
    QLabel& cacheSize() { return *size_; }
    void focusThreads();

  signals:
    /// The size of the cache has been determined again.
    void cacheMeasured();

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void build();
    void describeRuns();
    void describeWindow();
    void layOut();
    void showValues();
    void showDevice();
    void applyThreads();
    void measureCache();
    void emptyCache();

    MainWindow& window_;
    QComboBox *device_, *theme_, *session_;
    NumberBox* memory_;
    QSpinBox *threads_, *kernelLimit_;
    QCheckBox* tuned_;
    QLabel* size_;
    QPushButton* clear_;
    QCheckBox *tour_, *detector_;
    QTimer threadsSoon_;  ///< the worker is restarted once, not at each step of the field
};

}  // namespace ks::ui
