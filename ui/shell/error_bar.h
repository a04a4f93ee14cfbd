#pragma once

#include <QFrame>
#include <QString>

#include "core/base/error.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace ks::ui {

/// One sentence at the top of the page, red for an error and amber for a warning, that stays until it is
/// dismissed or replaced. A warning never replaces an error that is still shown.
class ErrorBar : public QFrame {
    Q_OBJECT
  public:
    explicit ErrorBar(QWidget* parent = nullptr);

    void showError(const Error& error);
    void showWarning(const QString& sentence, const QString& details = {});
    void dismiss();

    QString sentence() const { return sentence_; }
    QString details() const;
    bool isError() const { return isError_ && isVisibleTo(parentWidget()); }

  private:
    void present(bool error, const QString& sentence, const QString& details);
    void elide();
    void resizeEvent(QResizeEvent* event) override;

    QLabel *icon_, *text_;
    QToolButton *more_, *copy_, *close_;
    QPlainTextEdit* details_;
    QString sentence_;
    bool isError_ = false;
};

}  // namespace ks::ui
