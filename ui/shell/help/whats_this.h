#pragma once

#include <QObject>

class QWidget;

namespace ks::ui {

/// What "What's this?" says of a widget: its own text, else its tool tip or that of the control which it is
/// part of. Empty: nothing is known of it.
QString whatsThisOf(const QWidget& widget);

/// Makes all widgets of the program that have a tool tip answer "What's this?" with it, for as long as it
/// lives.
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
