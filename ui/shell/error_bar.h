#pragma once

#include <QFrame>
#include <QString>
#include <optional>

#include "core/base/error.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace ks::ui {

/// One sentence, in several lines if need be, over the bottom edge of the page, which does not move: red for
/// an error, amber for a warning. It stays until it is dismissed or replaced. A warning never replaces a
/// visible error: it appears after it.
class ErrorBar : public QFrame {
    Q_OBJECT
  public:
    explicit ErrorBar(QWidget* parent = nullptr);

    /// Origin of an error or warning: those of a kernel trial, of a live preview and of a run disappear
    /// automatically, by leave() and leavePage().
    enum class Of { anything, trial, preview, run };
    void showError(const Error& error, Of of = Of::anything);
    /// The next trial or preview succeeded: removes the error of the previous one.
    void leave(Of of);
    /// Another page or analysis is opened: removes what is of a trial, a preview or a run, unless nobody can
    /// have seen it.
    void leavePage();
    /// This error no longer applies: removes it if it is shown.
    void leave(const Error& error);
    void showWarning(const QString& sentence, const QString& details = {}, Of of = Of::anything);
    void dismiss();

    QString sentence() const { return sentence_; }
    QString details() const;
    bool isError() const { return isError_ && isVisibleTo(parentWidget()); }

  private:
    bool event(QEvent* event) override;
    void present(bool error, const QString& sentence, const QString& details, const QString& origin = {});
    /// Breaks the sentence into lines and shortens its origin to one.
    void breakLines();
    /// Over the bottom edge of its parent.
    void place();
    bool eventFilter(QObject* object, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    struct Warning {
        QString sentence, details;
        Of of;
    };

    QLabel *icon_, *text_;
    QToolButton *more_, *copy_, *close_;
    QPlainTextEdit* details_;
    QString sentence_, origin_;       ///< a sentence may begin with its origin, a file
    std::optional<Warning> waiting_;  ///< the newest one since the visible error appeared
    bool isError_ = false;
    Of of_ = Of::anything;
    bool seen_ = false;  ///< the window has been active since it appeared
};

}  // namespace ks::ui
