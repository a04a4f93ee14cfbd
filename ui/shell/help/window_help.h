#pragma once

#include <QObject>
#include <QPointer>

namespace ks::ui {

class MainWindow;
class ManualWindow;
class SettingsDialog;
class Tour;

/// The help of the program: manual, "What's this?", tour; and the settings dialog.
class WindowHelp : public QObject {
    Q_OBJECT
  public:
    /// @param window not owned; it owns this
    explicit WindowHelp(MainWindow& window);
    ~WindowHelp() override;

    /// At the page of the visible analysis.
    void showManual();
    void showManual(const QString& page);
    void showTour();
    /// Shows the tour if this user has not seen it.
    void offerTour();
    /// Once the window is visible; if a file is being opened, once that is shown or has failed.
    void offerTourSoon(bool fileComes);
    void showSettings();

    ManualWindow* manual() const;
    Tour* tour() const;
    SettingsDialog* settings() const;

  private:
    MainWindow& window_;
    QPointer<ManualWindow> manual_;
    QPointer<Tour> tour_;
    QPointer<SettingsDialog> settings_;
};

}  // namespace ks::ui
