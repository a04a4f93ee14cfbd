#pragma once

#include <qcustomplot.h>
#include <QString>
#include <cmath>

#include "ui/plots/axis_ticker.h"

namespace ks::ui {

/// A text in the middle of the whole plot, broken into lines if the plot is narrow.
class WrappedText : public QCPItemText {
    Q_OBJECT
  public:
    WrappedText(QCustomPlot& plot, const QString& text, const QPalette& palette);

  protected:
    void draw(QCPPainter* painter) override;
};

/// Paints a note as a badge at the right end of a line, continued below it if the line is short, in a few
/// lines at most.
void paintBadge(QPainter& painter, const QRectF& line, const QString& note, const QColor& text,
                const QColor& ground);
/// The same in the colours of all badges.
void paintBadge(QPainter& painter, const QRectF& line, const QString& note, const QPalette& palette);
/// Height of such a badge, with all its lines; 0 without a note.
int badgeHeight(const QFontMetrics& metrics, const QString& note, double width);

/// A badge above the axes: a note on what the plot shows, "outdated (Gain)".
class Badge : public QCPItemText {
    Q_OBJECT
  public:
    Badge(QCustomPlot& plot, const QString& note, const QPalette& palette);

  protected:
    void draw(QCPPainter* painter) override;

  private:
    QColor ground_;
};

/// Sets the title of an axis, which keepTitlesInside() shortens.
/// @param brief used where there is no room for the whole one; empty: the whole one, cut
void setTitle(QCPAxis& axis, const QString& whole, const QString& brief = {});
/// From now on, a title that is longer than a small plot is shown in a shorter form, which keeps the unit.
void keepTitlesInside(QCustomPlot& plot);

/// Counts the values of a plot, and those of them that it does not draw.
class Undrawn {
  public:
    /// @param logarithmic the axis is, and can be no other: values of 0 or less are not drawn
    void add(double value, bool logarithmic = false) {
        ++all_;
        if (canBeDrawn(value, logarithmic)) return;
        ++(std::isnan(value)                 ? undefined_
           : std::isinf(value)               ? infinite_
           : value <= 0 && canBeDrawn(value) ? notPositive_
                                             : beyond_);
    }
    /// A value that is not drawn because its place is beyond what can be drawn.
    void addOutside() {
        ++all_;
        ++beyond_;
    }
    /// "3 of 400 values are NaN or beyond \u00b11e150, not drawn"; empty: all are drawn.
    QString text() const;
    bool operator==(const Undrawn&) const = default;

  private:
    qsizetype all_ = 0, undefined_ = 0, infinite_ = 0, beyond_ = 0, notPositive_ = 0;
};

/// Breaks a text into lines no wider than `width` pixels, as far as its words allow.
QString wrapped(const QString& text, const QFontMetrics& metrics, int width);

/// The same with at most this many lines: the last one ends with dots if the text goes on.
QString firstLines(const QString& text, const QFontMetrics& metrics, int width, int most);

/// A heading above a plot, followed by a note that is cut first if the plot is narrow.
class ElidedTitle : public QCPTextElement {
    Q_OBJECT
  public:
    explicit ElidedTitle(QCustomPlot& plot) : QCPTextElement(&plot) {}
    void setNote(const QString& note) { note_ = note; }
    /// The text that is shown within this many pixels.
    QString shown(int width) const;

  protected:
    void draw(QCPPainter* painter) override;
    QSize minimumOuterSizeHint() const override {
        return {0, QCPTextElement::minimumOuterSizeHint().height()};
    }

  private:
    QString note_;
};

}  // namespace ks::ui
