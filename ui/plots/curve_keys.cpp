#include "ui/plots/curve_keys.h"

#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr int keyRole = Qt::UserRole;

}  // namespace

QIcon curveSwatch(const QColor& colour, Qt::PenStyle pattern, bool marker, double ratio) {
    QPixmap pixmap(QSize(24, 12) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 2, pattern));
    painter.drawLine(QPointF(1, 6), QPointF(23, 6));
    if (marker) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(QPointF(12, 6), 3.5, 3.5);
    }
    return pixmap;
}

CurveKeys::CurveKeys(QWidget* parent) : QListWidget(parent) {
    setAccessibleName(tr("Legend"));
    setWhatsThis(tr("Tick a curve to draw it, untick to hide it"));
    setFrameShape(QFrame::NoFrame);
    viewport()->setAutoFillBackground(false);
    setSelectionMode(QAbstractItemView::NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideMiddle);
    setIconSize(QSize(24, 12));
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setResizeMode(QListView::Adjust);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        const int bin = item->data(keyRole).toInt();
        const bool on = item->checkState() == Qt::Checked;
        if (on)
            hidden_.remove(bin);
        else
            hidden_.insert(bin);
        emit binTicked(bin, on);
    });
    hide();
}

void CurveKeys::setSeries(const QVector<CurveSeries>& series) {
    series_ = series;
    QSet<int> bins;
    for (const CurveSeries& one : series_) bins.insert(one.bin);
    hidden_.intersect(bins);
    fill();
}

void CurveKeys::setMostHeight(int pixels) {
    if (mostHeight_ == pixels) return;
    mostHeight_ = pixels;
    layLines();
}

void CurveKeys::fill() {
    {
        const QSignalBlocker quiet(this);
        clear();
        QSet<int> seen;
        for (const CurveSeries& one : series_) {
            if (seen.contains(one.bin)) continue;
            seen.insert(one.bin);
            const QColor colour = binColour(one.bin, isDark(palette()));
            auto* item = new QListWidgetItem(curveSwatch(colour, Qt::SolidLine, true, devicePixelRatioF()),
                                             one.legendLabel(), this);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
            item->setCheckState(hidden_.contains(one.bin) ? Qt::Unchecked : Qt::Checked);
            item->setToolTip(one.legendLabelInFull().isEmpty() ? one.legendLabel() : one.legendLabelInFull());
            item->setData(keyRole, one.bin);
        }
    }
    setVisible(count() > 0);
    layLines();
}

void CurveKeys::layLines() {
    laidWidth_ = width();
    if (count() == 0) return;
    const QSignalBlocker quiet(this);
    int widest = 1, line = 1;
    for (int i = 0; i < count(); ++i) {
        item(i)->setSizeHint(QSize());
        const QSize wanted = sizeHintForIndex(indexFromItem(item(i)));
        widest = std::max(widest, wanted.width() + 8);
        line = std::max(line, wanted.height());
    }
    const auto linesIn = [&](int room) {
        const int columns = std::clamp(room / widest, 1, count());
        return (count() + columns - 1) / columns;
    };
    const int mostLines = std::max(mostHeight_ / line, 1);
    int room = width() - 2;
    const bool scrolls = linesIn(room) > mostLines;
    // Set explicitly: a scroll bar that appears automatically would take its width from the columns
    // already laid out.
    setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    if (scrolls) room -= verticalScrollBar()->sizeHint().width();
    for (int i = 0; i < count(); ++i) item(i)->setSizeHint(QSize(std::min(widest, std::max(room, 1)), line));
    setFixedHeight(std::min(linesIn(room), mostLines) * line + 2);
}

void CurveKeys::resizeEvent(QResizeEvent* event) {
    QListWidget::resizeEvent(event);
    if (width() != laidWidth_) layLines();
}

void CurveKeys::changeEvent(QEvent* event) {
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) fill();
}

}  // namespace ks::ui
