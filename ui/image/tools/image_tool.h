#pragma once

#include <QCursor>
#include <QObject>
#include <QPointF>
#include <QString>
#include <QTransform>

class QKeyEvent;
class QPainter;

namespace ks::ui {

/// A mouse event in a DetectorView, for tools.
struct ToolEvent {
    QPointF image;   ///< x along columns, y along rows, as in ks::Geometry; may lie outside the frame
    QPointF widget;  ///< logical pixels of the view
    double zoom;     ///< logical pixels of the view per image pixel
    Qt::MouseButton button = Qt::NoButton;
    Qt::MouseButtons buttons;
    Qt::KeyboardModifiers modifiers;
};

/// Defines what the left button and the keys do in a DetectorView while this tool is set; the wheel and the
/// middle button always zoom and pan. A handler returns false if it does not use the event: the view then
/// reacts as without a tool.
class ImageTool : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    virtual QString title() const = 0;  ///< "Rectangle"
    virtual QString hint() const = 0;   ///< for the status bar: how to use mouse and keys
    virtual QCursor cursor() const { return Qt::CrossCursor; }

    virtual bool press(const ToolEvent&) { return false; }
    /// With and without a button held.
    virtual bool move(const ToolEvent&) { return false; }
    virtual bool release(const ToolEvent&) { return false; }
    virtual bool doubleClick(const ToolEvent&) { return false; }
    virtual bool keyPress(QKeyEvent&) { return false; }
    /// Discards what is unfinished: on Esc, for another tool or another frame shape.
    virtual void cancel() {}
    /// Above all layers of the view.
    virtual void paint(QPainter&, const QTransform& /*imageToWidget*/) const {}

  signals:
    /// The output of paint() has changed.
    void changed();
};

}  // namespace ks::ui
