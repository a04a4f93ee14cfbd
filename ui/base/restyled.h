#pragma once

#include <QEvent>
#include <QObject>
#include <QWidget>
#include <functional>
#include <utility>

namespace ks::ui {

/// Calls a function when a widget gets another palette, or also when it gets another font. A child of the
/// widget; for the end of its constructor.
class Restyled : public QObject {
  public:
    enum class By { palette, paletteOrFont };
    Restyled(QWidget* widget, By by, std::function<void()> show)
        : QObject(widget), by_(by), show_(std::move(show)) {
        widget->installEventFilter(this);
    }

  protected:
    bool eventFilter(QObject*, QEvent* event) override {
        const bool font = event->type() == QEvent::FontChange && by_ == By::paletteOrFont;
        if (font || event->type() == QEvent::PaletteChange) show_();
        return false;
    }

  private:
    By by_;
    std::function<void()> show_;
};

}  // namespace ks::ui
