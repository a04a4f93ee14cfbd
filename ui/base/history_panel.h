#pragma once

#include <QWidget>

class QUndoView;

namespace ks::ui {

class History;

/// The steps of a history, oldest first. Clicking one goes back to it, or forward.
class HistoryPanel : public QWidget {
    Q_OBJECT
  public:
    explicit HistoryPanel(History& history, QWidget* parent = nullptr);

    QUndoView& list() { return *list_; }

  private:
    QUndoView* list_;
};

}  // namespace ks::ui
