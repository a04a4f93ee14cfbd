#pragma once

#include <QObject>
#include <QPointer>

namespace ks::ui {

class MainWindow;
class ManualWindow;
class SettingsDialog;
class Tour;

/// What the program tells of itself: manual, "What's this?", tour; and the dialog of its settings.
class WindowHelp : public QObject {
    Q_OBJECT
  public:
    /// @param window not owned; it owns this
    explicit WindowHelp(MainWindow& window);
    ~WindowHelp() override;

    /// At the page of the analysis in sight.
    void showManual();
    void showManual(const QString& page);
    void showTour();
    /// Shows the tour where this user has not seen it.
    void offerTour();
    /// Once the window is there; where a file is on its way, once that is shown or cannot be.
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
