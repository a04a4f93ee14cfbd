#pragma once

#include <QCursor>
#include <QObject>
#include <QPointF>
#include <QString>
#include <QTransform>

class QKeyEvent;
class QPainter;

namespace ks::ui {

/// The mouse above a DetectorView, for tools.
struct ToolEvent {
    QPointF image;   ///< x along columns, y along rows, as ks::Geometry; may lie outside of the frame
    QPointF widget;  ///< logical pixels of the view
    double zoom;     ///< logical pixels of the view for one of the image
    Qt::MouseButton button = Qt::NoButton;
    Qt::MouseButtons buttons;
    Qt::KeyboardModifiers modifiers;
};

/// What the left button and the keys do in a DetectorView while this tool is set; the wheel and the middle
/// button always zoom and pan. A handler returns false where it has no use for the event: the view then does
/// what it does without a tool.
class ImageTool : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    virtual QString title() const = 0;  ///< "Rectangle"
    virtual QString hint() const = 0;   ///< for the status bar: what to do with the mouse and the keys
    virtual QCursor cursor() const { return Qt::CrossCursor; }

    virtual bool press(const ToolEvent&) { return false; }
    /// With and without a button held.
    virtual bool move(const ToolEvent&) { return false; }
    virtual bool release(const ToolEvent&) { return false; }
    virtual bool doubleClick(const ToolEvent&) { return false; }
    virtual bool keyPress(QKeyEvent&) { return false; }
    /// Forgets what is half done: Esc, another tool, another frame shape.
    virtual void cancel() {}
    /// Above all layers of the view.
    virtual void paint(QPainter&, const QTransform& /*imageToWidget*/) const {}

  signals:
    /// What paint() draws is another now.
    void changed();
};

}  // namespace ks::ui
