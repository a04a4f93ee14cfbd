#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace ks::ui {

/// A line that says what is under way and for how long, with a button that cancels it. Hidden while nothing
/// is.
class UnderWay : public QWidget {
    Q_OBJECT
  public:
    explicit UnderWay(QWidget* parent = nullptr);

    /// Something else has begun: the seconds count from now.
    void begin(const QString& what);
    /// The same goes on with another step; where nothing is under way, it begins.
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

/// "3.2 s", "42 s": what a reader of a clock needs.
QString secondsText(double seconds);

}  // namespace ks::ui
