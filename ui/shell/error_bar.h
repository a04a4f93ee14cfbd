#pragma once

#include <QFrame>
#include <QString>

#include "core/base/error.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace ks::ui {

/// One sentence over the lower edge of the page, which does not move, red for an error and amber for a
/// warning, that stays until it is dismissed or replaced. A warning never replaces an error that is still
/// shown.
class ErrorBar : public QFrame {
    Q_OBJECT
  public:
    explicit ErrorBar(QWidget* parent = nullptr);

    /// What an error is of: those of a trial of a kernel and of a live preview go by themselves, by leave()
    /// and leavePage().
    enum class Of { anything, trial, preview };
    void showError(const Error& error, Of of = Of::anything);
    /// The next trial or preview succeeded: an error of the one before goes.
    void leave(Of of);
    /// Another page is opened: an error of a trial or a preview goes, unless nobody can have seen it.
    void leavePage();
    /// This error holds no more: where it is shown, it goes.
    void leave(const Error& error);
    void showWarning(const QString& sentence, const QString& details = {});
    void dismiss();

    QString sentence() const { return sentence_; }
    QString details() const;
    bool isError() const { return isError_ && isVisibleTo(parentWidget()); }

  private:
    bool event(QEvent* event) override;
    void present(bool error, const QString& sentence, const QString& details);
    void elide();
    /// Over the lower edge of its parent.
    void place();
    bool eventFilter(QObject* object, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    QLabel *icon_, *text_;
    QToolButton *more_, *copy_, *close_;
    QPlainTextEdit* details_;
    QString sentence_;
    bool isError_ = false;
    Of of_ = Of::anything;
    bool seen_ = false;  ///< its window was in front since it came
};

}  // namespace ks::ui
