#include "ui/plots/shaded_band.h"

#include <qcustomplot.h>

namespace ks::ui {

void addShadedBand(QCustomPlot& plot, QCPAxisRect& area, double from, double to, const QColor& colour) {
    auto* box = new QCPItemRect(&plot);
    box->setLayer(QStringLiteral("background"));
    box->setBrush(colour);
    box->setPen(Qt::NoPen);
    for (QCPItemPosition* corner : {box->topLeft, box->bottomRight}) {
        corner->setTypeX(QCPItemPosition::ptPlotCoords);
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
        corner->setAxisRect(&area);
    }
    box->topLeft->setCoords(from, 0);
    box->bottomRight->setCoords(to, 1);
}

}  // namespace ks::ui
