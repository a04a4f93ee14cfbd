#pragma once

#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "core/base/error.h"

class QStackedWidget;
class QToolButton;

namespace ks::ui {

/// A statement that holds until it is dealt with: a sentence and the possible actions.
struct Notice {
    struct Action {
        QString text;  ///< "Locate..."
        std::function<void()> act = {};
        std::vector<Action> menu = {};  ///< menu of the button, instead of `act`
        QString tip = {};               ///< of the button
    };
    QString id;  ///< of the subject: a newer notice replaces an older one with the same id
    QString text;
    std::vector<Action> actions = {};
    std::function<void()> closed = {};  ///< the user closed it; nothing: it cannot be closed
};

/// The current notices, in one line that does not change its height. The newest one is shown; a button leads
/// to the others. Unlike an error or a warning, which the next one replaces, a notice stays until it no
/// longer applies or the user closes it.
class NoticeBar : public QWidget {
    Q_OBJECT
  public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void put(const Notice& notice);
    /// Has no effect if there is none with this id.
    void remove(const QString& id);
    /// Sentence of the notice; empty: there is none with this id.
    QString text(const QString& id) const;
    /// Ids, in order of arrival.
    QStringList ids() const;
    /// Id of the notice that is shown; empty: there is none.
    QString shown() const;
    /// Shows the one that arrived before the shown one, and the newest one after the oldest one.
    void showNext();
    /// As by a click on the button with this text; false: the notice has none.
    bool act(const QString& id, const QString& text);
    /// The same for an entry in the menu of the notice's button.
    /// @param path texts of the entries on the way
    bool actInMenu(const QString& id, const QStringList& path);

  signals:
    /// @param any whether there is a notice
    void presented(bool any);

  private:
    struct Row {
        Notice notice;
        QWidget* widget;
    };
    QWidget* makeRow(const Notice& notice);
    void present(const QString& id);
    void setLineHeight();

    QStackedWidget* stack_;  ///< the rows, on top of an empty one
    QToolButton* others_;    ///< "1 of 3"
    std::vector<Row> rows_;
    QString shown_;
};

/// What a window tells its user. Its parts emit these signals; the status bar, the error bar and the notices
/// follow them.
class Messages : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

  signals:
    /// For the status bar; empty: clears it.
    /// @param milliseconds 0: until the next message
    void said(const QString& text, int milliseconds = 0);
    void warned(const QString& sentence, const QString& details = {});
    /// A warning that a run gave; it disappears with the analysis of the run.
    void warnedOfRun(const QString& sentence, const QString& details = {});
    void failed(const ks::Error& error);
    /// A notice, shown until noticeEnded().
    void noticed(const ks::ui::Notice& notice);
    void noticeEnded(const QString& id);
};

}  // namespace ks::ui
