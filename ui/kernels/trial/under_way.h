#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace ks::ui {

/// A line that shows the current activity and its duration, with a button that cancels it. Hidden while there
/// is none.
class UnderWay : public QWidget {
    Q_OBJECT
  public:
    explicit UnderWay(QWidget* parent = nullptr);

    /// A new activity has begun: the timer restarts.
    void begin(const QString& what);
    /// The activity has reached another step; begins one if there is none.
    void tell(const QString& what);
    void end();
    bool isRunning() const { return timer_.isActive(); }
    double seconds() const;

    QLabel& line() { return *line_; }
    QPushButton& cancelButton() { return *cancel_; }

  signals:
    void cancelWanted();

  protected:
    void timerEvent(QTimerEvent* event) override;

  private:
    void showLine();

    QString what_;
    QElapsedTimer since_;
    QBasicTimer timer_;
    QLabel* line_;
    QPushButton* cancel_;
};

/// "3.2 s", "42 s": with sensible precision.
QString secondsText(double seconds);

}  // namespace ks::ui
