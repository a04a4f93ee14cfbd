#include "ui/kernels/trial/under_way.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimerEvent>

namespace ks::ui {
namespace {

constexpr int tickMs = 100;

}  // namespace

QString secondsText(double seconds) {
    return UnderWay::tr("%1 s").arg(seconds, 0, 'f', seconds < 10 ? 1 : 0);
}

UnderWay::UnderWay(QWidget* parent)
    : QWidget(parent), line_(new QLabel), cancel_(new QPushButton(tr("Cancel"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    line_->setAccessibleName(tr("Current activity"));
    line_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    cancel_->setToolTip(tr("Cancel (Esc)"));
    cancel_->setAccessibleName(tr("Cancel the current activity"));
    row->addWidget(line_, 1);
    row->addWidget(cancel_);
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
