#include "ui/runs/stages_view.h"

#include <QCheckBox>
#include <QScrollArea>

#include "ui/base/layouts.h"

namespace ks::ui {

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
    setLayout(inRows({kernelsOnly, {scroll, 1}}, 2));
}

}  // namespace ks::ui
