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

/// What a hand did in the window, in the order in which it was done, whatever part it was done in.
class History : public QUndoStack {
    Q_OBJECT
  public:
    /// Steps of one field that follow each other within this are one: typing, a slider that is moved.
    static constexpr qint64 mergeMs = 1500;

    /// Something that was just done.
    struct Step {
        QString text;                ///< after "Undo": "drag of ring 3"
        QObject* part = nullptr;     ///< that was changed; without effect once it is gone
        QString field = {};          ///< of the part; steps without one are never merged
        std::function<void()> undo;  ///< takes it back
        std::function<void()> redo;  ///< does it again
        bool anywhere = false;       ///< seen on all pages, not only where it was done
    };

    explicit History(QObject* parent = nullptr) : QUndoStack(parent) {}

    /// Without effect while a step is taken back or done again, and while there is a Quiet.
    void add(Step step);
    /// Where what comes next is done: a page. Not owned.
    void setPlace(QObject* place) { place_ = place; }
    /// Nothing can be taken back while a part is held: a stroke is being drawn.
    void setHeld(const QObject* part, bool held);
    bool held() const { return !held_.isEmpty(); }
    /// Changes now are not of a hand.
    bool quiet() const { return quiet_ > 0; }
    bool canTakeBack() const { return canUndo() && !held(); }
    bool canDoAgain() const { return canRedo() && !held(); }

    /// While one lives, changes are no steps: a file is opened, settings are read.
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
    /// Undo and redo. A change that a hand has not ended yet ends before.
    void takeBack();
    void doAgain();

  signals:
    /// Before takeBack(): what is under way becomes a step.
    void ending();
    /// The step that is about to be taken back or done again was done here.
    void placeWanted(QObject* place, bool anywhere);
    void heldChanged(bool held);

  private:
    class Command;

    QPointer<QObject> place_;
    QSet<const QObject*> held_;
    int quiet_ = 0;
};

/// A value that hands change, with what it was before. `part` (see History::Step) outlives it and holds it.
/// Value: copyable, with ==.
template <class Value>
class Undoable {
  public:
    struct Name {
        QString text;
        QString field = {};
        bool anywhere = false;
    };

    /// @param name of the change from one value to another
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

    /// The value is another one, but not by a hand.
    void settle() {
        before_ = get_();
        moving_ = false;
    }
    /// A hand changed the value.
    /// @param final false while it is still moving: all until then is one step
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
