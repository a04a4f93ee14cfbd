#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <utility>

namespace ks::ui {

/// The user's actions in the window, in chronological order across all parts of it.
class History : public QUndoStack {
    Q_OBJECT
  public:
    /// Consecutive steps of one field within this time are merged: typing, moving a slider.
    static constexpr qint64 mergeMs = 1500;

    /// An action that has just been done.
    struct Step {
        QString text;                ///< after "Undo": "drag of ring 3"
        QObject* part = nullptr;     ///< the changed part; the step has no effect once it is gone
        QString field = {};          ///< within the part; steps without one are never merged
        std::function<void()> undo;  ///< reverts the action
        std::function<void()> redo;  ///< repeats it
        bool anywhere = false;       ///< visible on all pages, not only where it was done
    };

    explicit History(QObject* parent = nullptr) : QUndoStack(parent) {}

    /// Has no effect while a step is being undone or redone, nor while a Quiet exists.
    void add(Step step);
    /// Where the next steps happen: a page. Not owned.
    void setPlace(QObject* place) { place_ = place; }
    /// Nothing can be undone while a part is held, for instance while a stroke is being drawn.
    void setHeld(const QObject* part, bool held);
    bool held() const { return !held_.isEmpty(); }
    /// Changes made now are not the user's.
    bool quiet() const { return quiet_ > 0; }
    bool canTakeBack() const { return canUndo() && !held(); }
    bool canDoAgain() const { return canRedo() && !held(); }

    /// While one exists, changes are not recorded: a file is being opened, settings are being read.
    class Quiet {
      public:
        explicit Quiet(History& history) : history_(history) { ++history_.quiet_; }
        ~Quiet() { --history_.quiet_; }
        Quiet(const Quiet&) = delete;
        Quiet& operator=(const Quiet&) = delete;

      private:
        History& history_;
    };

  public slots:
    /// Undo and redo. An unfinished change by the user is completed first.
    void takeBack();
    void doAgain();

  signals:
    /// Emitted before takeBack(), so that a change in progress becomes a step.
    void ending();
    /// The step that is about to be undone or redone was done here.
    void placeWanted(QObject* place, bool anywhere);
    void heldChanged(bool held);

  private:
    class Command;

    QPointer<QObject> place_;
    QSet<const QObject*> held_;
    int quiet_ = 0;
};

/// A value changed by the user, together with its previous value. `part` (see History::Step) must outlive it
/// and holds it. Value: copyable, with ==.
template <class Value>
class Undoable {
  public:
    struct Name {
        QString text;
        QString field = {};
        bool anywhere = false;
    };

    /// @param name describes the change from one value to another
    Undoable(History& history, QObject* part, std::function<Value()> get,
             std::function<void(const Value&)> set, std::function<Name(const Value&, const Value&)> name)
        : history_(history),
          part_(part),
          get_(std::move(get)),
          set_(std::move(set)),
          name_(std::move(name)),
          before_(get_()) {
        connection_ = QObject::connect(&history_, &History::ending, part, [this] {
            if (moving_) edited(true);
        });
    }
    ~Undoable() { QObject::disconnect(connection_); }
    Undoable(const Undoable&) = delete;
    Undoable& operator=(const Undoable&) = delete;

    /// The value has changed, but not by the user.
    void settle() {
        before_ = get_();
        moving_ = false;
    }
    /// The user changed the value.
    /// @param final false while it is still changing: everything until then is one step
    void edited(bool final) {
        if (history_.quiet()) return settle();
        if (!final) {
            moving_ = true;
            return;
        }
        const bool dragged = std::exchange(moving_, false);
        const Value now = get_();
        if (now == before_) return;
        Name name = name_(before_, now);
        const auto to = [this](const Value& value) {
            return [this, value] {
                set_(value);
                settle();
            };
        };
        history_.add({std::move(name.text), part_, dragged ? QString() : std::move(name.field), to(before_),
                      to(now), name.anywhere});
        before_ = now;
    }
    bool moving() const { return moving_; }

  private:
    History& history_;
    QObject* part_;
    std::function<Value()> get_;
    std::function<void(const Value&)> set_;
    std::function<Name(const Value&, const Value&)> name_;
    Value before_;
    bool moving_ = false;
    QMetaObject::Connection connection_;
};

}  // namespace ks::ui
