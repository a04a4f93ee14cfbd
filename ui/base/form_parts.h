#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStyle>
#include <algorithm>
#include <string>

#include "core/run/parameters/unit_text.h"

namespace ks::ui {

/// Bold heading of a group of fields.
/// @param what purpose of the group, for "What's this?"; empty: the field next to it explains it
inline QLabel* heading(const QString& text, const QString& what = {}) {
    auto* made = new QLabel(text);
    made->setWhatsThis(what);
    QFont bold = made->font();
    bold.setBold(true);
    made->setFont(bold);
    return made;
}

/// Label, stretching field and extras: the grid of a form in a dock.
inline QGridLayout* formGrid(QWidget* parent = nullptr) {
    auto* grid = new QGridLayout(parent);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    return grid;
}

/// Scrolls its widget vertically where there is too little height. It is never narrower than the widget and
/// its scroll bar, so that nothing is cut off at the side.
class RowsScroll : public QScrollArea {
  public:
    QSize minimumSizeHint() const override {
        QSize least = QScrollArea::minimumSizeHint();
        if (!widget()) return least;
        const int content = std::max(widget()->minimumSizeHint().width(), widget()->minimumWidth());
        return {content + style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this), least.height()};
    }
    QSize sizeHint() const override { return QScrollArea::sizeHint().expandedTo(minimumSizeHint()); }

  protected:
    // Nothing is told of content that changed its size while it was hidden.
    void showEvent(QShowEvent* event) override {
        QScrollArea::showEvent(event);
        updateGeometry();
        QCoreApplication::postEvent(this, new QEvent(QEvent::LayoutRequest));
    }
    bool eventFilter(QObject* object, QEvent* event) override {
        // The content may have become wider.
        if (object == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
        return QScrollArea::eventFilter(object, event);
    }
};

/// A form or plots that scroll vertically where there is too little height.
inline QScrollArea* scrolled(QWidget* content, const QString& name) {
    auto* scroll = new RowsScroll;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(name);
    return scroll;
}

/// Units as they are written after a number: " \u00c5", after 1 " frame", else " frames"; empty for none.
inline QString unitSuffix(const std::string& unit, double number = 2) {
    if (unit.empty()) return {};
    if (unit == "angstrom") return QStringLiteral(" \u00c5");
    if (unit == "1/angstrom") return QStringLiteral(" 1/\u00c5");
    if (unit == "1/angstrom^2") return QStringLiteral(" 1/\u00c5\u00b2");
    if (unit == "deg") return QStringLiteral(" \u00b0");
    if (unit == "um") return QStringLiteral(" \u00b5m");
    return QLatin1Char(' ') + QString::fromStdString(unit_after(number, unit));
}

}  // namespace ks::ui
