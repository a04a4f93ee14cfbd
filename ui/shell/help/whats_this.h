#pragma once

#include <QObject>
#include <QPoint>

class QWidget;

namespace ks::ui {

/// What "What's this?" says of a widget: its own text or tool tip; of a bar of tabs that of the tab, or of
/// what the tab shows; of a label that of the field which it names; else that of what it is part of. Empty:
/// nothing is known of it.
/// @param at of the cursor, in the widget; only bars of tabs look at it, and tell of the chosen one without
QString whatsThisOf(const QWidget& widget, const QPoint& at = {-1, -1});

/// Makes all widgets of the program answer "What's this?" with whatsThisOf(), for as long as it lives.
class WhatsThisAnswers : public QObject {
    Q_OBJECT
  public:
    explicit WhatsThisAnswers(QObject* parent);

    /// The actions of menus below `root` say their status tips.
    static void fillActions(QObject& root);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace ks::ui
