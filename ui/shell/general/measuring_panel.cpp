#include "ui/shell/general/measuring_panel.h"

#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/base/elided_label.h"
#include "ui/base/input/input_rules.h"
#include "ui/base/layouts.h"
#include "ui/shell/page.h"

namespace ks::ui {

MeasuringPanel::MeasuringPanel(QString start, QWidget* parent)
    : QWidget(parent),
      measure_(new QToolButton),
      message_(named(new ElidedLabel, tr("Measurement result"))),
      made_(named(new ElidedLabel, tr("Values behind the curves"))),
      start_(std::move(start)) {
    measure_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    // One width for both of its texts, so that its neighbours do not move.
    for (const QString& text : {start_, tr("Stop")}) {
        measure_->setText(text);
        measure_->setMinimumWidth(std::max(measure_->minimumWidth(), measure_->sizeHint().width()));
    }
    holdForFields(*measure_);
    for (ElidedLabel* line : {message_, made_}) line->setContentsMargins(8, 0, 8, 2);
    connect(measure_, &QToolButton::clicked, this, [this] {
        if (running_) return stop();
        refusal_.review();
        try {
            begin();
        } catch (const Error& error) {
            refusal_.show(error);
        }
    });
}

void MeasuringPanel::follow(Desk& desk, Page& page) {
    auto* sweep = new Sweep(&page);
    connect(this, &MeasuringPanel::wanted, sweep,
            [&desk, sweep](const std::vector<BenchPlan>& plans) { desk.sweep(*sweep, plans); });
    connect(sweep, &Sweep::changed, this, &MeasuringPanel::setRunning);
    connect(sweep, &Sweep::rowDone, this, &MeasuringPanel::addRow);
    connect(sweep, &Sweep::ready, this, [this, &faults = desk.textFaults()](BenchReport report) {
        faults.judge(report);
        setReport(report);
    });
    connect(&desk, &Desk::offered, this,
            [this, &page](const QString& of, const std::vector<Offer>& offers, const Variant* next) {
                if (of != page.analysis()) return;
                setOffers(offers);
                setVariant(next);
            });
    connect(&desk, &Desk::nextChanged, this, [this, &desk, &page](const Request& next) {
        if (QString::fromStdString(next.analysis) == page.analysis())
            setNext(presentSettings(desk.catalogue(), next));
    });
    connect(&desk, &Desk::catalogueChanged, this, [this, &desk, &page] {
        setTexts(presentTexts(desk.catalogue(), page.analysis().toStdString()));
    });
    connect(this, &MeasuringPanel::cancelled, &page, &Page::cancelWanted);
    connect(&refusal_, &PassingError::failed, &page, &Page::failed);
    connect(&refusal_, &PassingError::mended, &page, &Page::mended);
}

void MeasuringPanel::setNext(const PresentSettings& next) {
    if (next == now_) return;
    now_ = next;
    showNext();
}

void MeasuringPanel::setTexts(const std::map<std::string, std::string>& texts) {
    PresentSettings next = now_;
    next.texts = texts;
    setNext(next);
}

const QString& MeasuringPanel::message() const {
    return message_->whole();
}

const QString& MeasuringPanel::made() const {
    return made_->whole();
}

void MeasuringPanel::showButton(const QString& tip) {
    measure_->setText(running_ ? tr("Stop") : start_);
    holdForFields(*measure_, !running_);
    measure_->setToolTip(tip);
}

void MeasuringPanel::say(ElidedLabel& line, const QString& text) {
    line.setWhole(text);
    line.setVisible(!text.isEmpty());
}

QLayout* MeasuringPanel::makeLine() {
    auto* line = inColumns({{made_, 1}, {message_, 1}}, 0);
    line->addStrut(message_->sizeHint().height());
    return line;
}

}  // namespace ks::ui
