#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>
#include <optional>

#include "core/base/error.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace ks::ui {

/// One sentence: red for an error, amber for a warning. In one line it lies in a free row of the window;
/// where there is none, or the sentence is longer, over the bottom edge of the page, which does not move. It
/// stays until it is dismissed or replaced. A warning never replaces a visible error: it appears after it.
class ErrorBar : public QFrame {
    Q_OBJECT
  public:
    explicit ErrorBar(QWidget* parent = nullptr);
    /// Both are children of the parent, or of one of its children.
    /// @param page over which the bar lies; without this call the parent
    /// @param row of the height of one line, which the bar may cover while it is visible
    void setPlaces(QWidget& page, QWidget& row);

    /// Origin of an error or warning: those of a kernel trial, of a live preview and of a run disappear
    /// automatically, by leave() and leavePage().
    enum class Of { anything, trial, preview, run };
    void showError(const Error& error, Of of = Of::anything);
    /// The next trial or preview succeeded: removes the error of the previous one.
    void leave(Of of);
    /// What is of this origin is wrong: removes it, also if it waits for the visible error.
    void withdraw(Of of);
    /// Another page or analysis is opened: removes what is of a trial, a preview or a run, unless nobody can
    /// have seen it.
    void leavePage();
    /// This error no longer applies: removes it if it is shown.
    void leave(const Error& error);
    void showWarning(const QString& sentence, const QString& details = {}, Of of = Of::anything);
    /// The warning of this origin, if it is shown or waits for the visible error, is this one now; empty:
    /// there is none any more.
    void changeWarning(const QString& sentence, const QString& details, Of of);
    void dismiss();

    QString sentence() const { return sentence_; }
    QString details() const;
    bool isError() const { return isError_ && isVisibleTo(parentWidget()); }

  private:
    bool event(QEvent* event) override;
    void present(bool error, const QString& sentence, const QString& details, const QString& origin = {});
    /// Breaks the sentence into lines and shortens its origin to one.
    void breakLines();
    void place();
    QRect freeRow() const;
    bool eventFilter(QObject* object, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    struct Warning {
        QString sentence, details;
        Of of;
    };

    QLabel *icon_, *text_;
    QToolButton *more_, *copy_, *close_;
    QPlainTextEdit* details_;
    QPointer<QWidget> page_, row_;
    QString sentence_, origin_;       ///< a sentence may begin with its origin, a file
    std::optional<Warning> waiting_;  ///< the newest one since the visible error appeared
    bool isError_ = false;
    Of of_ = Of::anything;
    bool seen_ = false;  ///< the window has been active since it appeared
};

}  // namespace ks::ui
