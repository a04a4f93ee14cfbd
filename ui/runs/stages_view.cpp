#include "ui/runs/stages_view.h"

#include <QCheckBox>
#include <QScrollArea>
#include <QVBoxLayout>

namespace ks::ui {

StagesView::StagesView(const QString& name, QWidget* parent) : QWidget(parent), timing_(new TimingPlot) {
    timing_->setEmptyText(name);
    timing_->setAccessibleName(name);
    auto* kernelsOnly = new QCheckBox(tr("&Kernels only"));
    kernelsOnly->setObjectName(QStringLiteral("kernelsOnly"));
    kernelsOnly->setToolTip(tr("Leave out reading, transfers and what the host does"));
    connect(kernelsOnly, &QCheckBox::toggled, timing_, &TimingPlot::setKernelsOnly);
    connect(timing_, &TimingPlot::kernelsOnlyChanged, kernelsOnly, &QCheckBox::setChecked);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(kernelsOnly);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(timing_);
    all->addWidget(scroll, 1);
}

}  // namespace ks::ui
