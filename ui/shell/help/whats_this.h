#pragma once

#include <QObject>
#include <QPoint>

class QWidget;

namespace ks::ui {

/// The "What's this?" text of a widget: its own text or tool tip; for a tab bar that of the tab, or of the
/// tab's page; for a label that of the field it names; otherwise that of its parent. Empty: nothing is known
/// about it.
/// @param at cursor position in the widget; used only for tab bars, which otherwise describe the chosen tab
QString whatsThisOf(const QWidget& widget, const QPoint& at = {-1, -1});

/// Makes all widgets of the program answer "What's this?" with whatsThisOf(), during its lifetime.
class WhatsThisAnswers : public QObject {
    Q_OBJECT
  public:
    explicit WhatsThisAnswers(QObject* parent);

    /// Sets the texts of actions in menus below `root` to their status tips.
    static void fillActions(QObject& root);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace ks::ui
