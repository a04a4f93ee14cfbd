#include "ui/base/history.h"

namespace ks::ui {

class History::Command : public QUndoCommand {
  public:
    Command(History& history, Step step)
        : QUndoCommand(step.text),
          history_(history),
          part_(step.part),
          place_(history.place_),
          step_(std::move(step)) {
        since_.start();
    }

    int id() const override { return step_.field.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto& newer = static_cast<const Command&>(*other);
        if (newer.part_ != part_ || newer.step_.field != step_.field || newer.place_ != place_) return false;
        if (since_.elapsed() > mergeMs) return false;
        since_.restart();
        step_.redo = newer.step_.redo;
        return true;
    }
    void undo() override { apply(step_.undo); }
    void redo() override {
        // The stack also calls it for a step that is being added.
        if (done_) apply(step_.redo);
        done_ = true;
    }

  private:
    void apply(const std::function<void()>& change) {
        if (!part_) return setObsolete(true);
        const Quiet quiet(history_);
        if (place_) emit history_.placeWanted(place_, step_.anywhere);
        change();
    }

    History& history_;
    QPointer<QObject> part_, place_;
    Step step_;
    QElapsedTimer since_;
    bool done_ = false;
};

void History::add(Step step) {
    if (!quiet()) push(new Command(*this, std::move(step)));
}

void History::setHeld(const QObject* part, bool held) {
    if (held == held_.contains(part)) return;
    if (held)
        held_.insert(part);
    else
        held_.remove(part);
    emit heldChanged(this->held());
}

void History::takeBack() {
    if (held()) return;
    emit ending();
    undo();
}

void History::doAgain() {
    if (held()) return;
    emit ending();
    redo();
}

}  // namespace ks::ui
