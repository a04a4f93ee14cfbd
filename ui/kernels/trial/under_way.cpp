#include "ui/kernels/trial/under_way.h"

#include <QLabel>
#include <QPushButton>
#include <QTimerEvent>

#include "ui/base/layouts.h"

namespace ks::ui {
namespace {

constexpr int tickMs = 100;

}  // namespace

QString secondsText(double seconds) {
    return UnderWay::tr("%1 s").arg(seconds, 0, 'f', seconds < 10 ? 1 : 0);
}

UnderWay::UnderWay(QWidget* parent)
    : QWidget(parent),
      line_(named(new QLabel, tr("Current activity"))),
      cancel_(named(new QPushButton(tr("Cancel")), tr("Cancel the current activity"), tr("Cancel (Esc)"))) {
    line_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setLayout(inColumns({{line_, 1}, cancel_}, 8, {8, 4, 8, 4}));
    connect(cancel_, &QPushButton::clicked, this, &UnderWay::cancelWanted);
    hide();
}

void UnderWay::begin(const QString& what) {
    what_ = what;
    since_.start();
    timer_.start(tickMs, this);
    showLine();
    show();
}

void UnderWay::tell(const QString& what) {
    if (!isRunning()) return begin(what);
    what_ = what;
    showLine();
}

void UnderWay::end() {
    timer_.stop();
    hide();
}

double UnderWay::seconds() const {
    return since_.isValid() ? static_cast<double>(since_.elapsed()) / 1000 : 0;
}

void UnderWay::timerEvent(QTimerEvent* event) {
    if (event->timerId() == timer_.timerId())
        showLine();
    else
        QWidget::timerEvent(event);
}

void UnderWay::showLine() {
    line_->setText(tr("%1  %2").arg(what_, secondsText(seconds())));
}

}  // namespace ks::ui
