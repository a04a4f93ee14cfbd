#include "ui/runs/stages_view.h"

#include <qcustomplot.h>

#include <QCheckBox>
#include <QEvent>
#include <QPainter>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "core/run/user/shown_variant.h"
#include "ui/base/input/focus_outline.h"
#include "ui/base/layouts.h"
#include "ui/runs/run_source.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {
namespace {

/// The time axis of a plot that is higher than its scroll area, over the lower edge of that, as long as the
/// axis itself is out of sight.
class AxisInSight : public QWidget {
  public:
    AxisInSight(QScrollArea& scroll, const QCustomPlot& plot)
        : QWidget(scroll.viewport()), scroll_(scroll), plot_(&plot) {
        setObjectName(QStringLiteral("axisInSight"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        const auto place = [this] { this->place(); };
        connect(scroll.verticalScrollBar(), &QScrollBar::valueChanged, this, place);
        connect(scroll.verticalScrollBar(), &QScrollBar::rangeChanged, this, place);
        connect(&plot, &QCustomPlot::afterReplot, this, place);
        scroll.viewport()->installEventFilter(this);
        place();
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize) place();
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent*) override {
        if (!plot_ || !scroll_.widget()) return;
        QPainter painter(this);
        const QRect source = axis();
        QWidget& whole = *scroll_.widget();
        whole.render(&painter, QPoint(), QRegion(source));
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(rect().topLeft(), rect().topRight());
    }

  private:
    /// With its labels, in the plot's widget.
    QRect axis() const {
        const QWidget& whole = *scroll_.widget();
        const int top = plot_->mapTo(&whole, QPoint(0, plot_->axisRect()->bottom() + 1)).y();
        return {0, top, whole.width(), whole.height() - top};
    }
    void place() {
        if (!plot_ || !scroll_.widget()) return;  // the view is being destroyed
        const QScrollBar& bar = *scroll_.verticalScrollBar();
        const QRect area = axis();
        setVisible(bar.maximum() - bar.value() > 0 && area.height() > 0 &&
                   area.height() < scroll_.viewport()->height() / 2);
        const QSize view = scroll_.viewport()->size();
        setGeometry(0, view.height() - area.height(), view.width(), area.height());
        raise();
        update();
    }

    QScrollArea& scroll_;
    QPointer<const QCustomPlot> plot_;
};

}  // namespace

StagesView::StagesView(const QString& name, QWidget* parent) : QWidget(parent), timing_(new TimingPlot) {
    timing_->setEmptyText(name);
    timing_->setAccessibleName(name);
    auto* kernelsOnly = new QCheckBox(tr("&Kernels only"));
    kernelsOnly->setObjectName(QStringLiteral("kernelsOnly"));
    kernelsOnly->setToolTip(tr("Hide the times of reading, transfers and work on the host"));
    connect(kernelsOnly, &QCheckBox::toggled, timing_, &TimingPlot::setKernelsOnly);
    connect(timing_, &TimingPlot::kernelsOnlyChanged, kernelsOnly, &QCheckBox::setChecked);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(timing_);
    new FocusOutline(scroll);
    if (const auto* plot = timing_->findChild<QCustomPlot*>()) new AxisInSight(*scroll, *plot);
    setLayout(inRows({kernelsOnly, {scroll, 1}}, 2));
}

StagesPanel::StagesPanel(RunTableModel& runs, QWidget* parent)
    : StagesView(tr("Stages of the ticked runs"), parent), runs_(runs) {
    connect(&runs_, &RunTableModel::tickedChanged, this, &StagesPanel::showTicked);
    // If another file is open, the runs of the previous one name theirs. The zoom stays otherwise.
    connect(&runs_, &RunTableModel::dataChanged, this, [this] {
        const QVector<TimingSeries> now = ticked();
        if (!std::ranges::equal(now, timing().runs(), {}, &TimingSeries::run, &TimingSeries::run))
            timing().setRuns(now);
    });
    showTicked();
}

void StagesPanel::setMark(std::function<QString(const RunRow& run)> mark) {
    mark_ = std::move(mark);
    showMarks();
}

void StagesPanel::showMarks() {
    QStringList now, before;
    for (const RunRow& row : runs_.ticked(runs_.analysis())) now << markOf(row);
    for (const TimingSeries& one : timing().runs()) before << one.mark;
    if (now.size() == before.size() && now != before) timing().setMarks(now);
}

QString StagesPanel::markOf(const RunRow& row) const {
    return mark_ ? mark_(row) : QString();
}

void StagesPanel::showTicked() {
    timing().setRuns(ticked());
}

QVector<TimingSeries> StagesPanel::ticked() const {
    QVector<TimingSeries> series;
    for (const RunRow& row : runs_.ticked(runs_.analysis())) {
        QStringList devices;
        for (const DeviceShare& share : row.run->devices) devices << QString::fromStdString(share.label);
        QString name =
            QStringLiteral("%1  %2").arg(row.number).arg(QString::fromStdString(shown_variant(*row.run)));
        if (!runs_.isOfFile(row))
            name = tr("%1 of %2").arg(name, runs_.dataName(row));
        else if (!runs_.isOfContents(row))
            name = tr("%1 of %2 as it was at %3").arg(name, runs_.dataName(row), madeAt(*row.run));
        series.push_back({isWrong(row) ? tr("%1 (wrong)").arg(name) : name, row.run->timings,
                          row.run->wall_nanoseconds, devices, markOf(row)});
    }
    return series;
}

}  // namespace ks::ui
