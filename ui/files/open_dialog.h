#pragma once

#include <QFileDialog>

class QLineEdit;
class QPushButton;

namespace ks::ui {

/// Chooses files to open. Unlike QFileDialog it also accepts typed names that no file has: that of a series
/// with files, "img_####.tif", and, unless one existing file is wanted, that of an object in a file,
/// "scan.h5::/entry/data". It is never the platform's own dialog, which accepts only files.
class OpenDialog : public QFileDialog {
    Q_OBJECT
  public:
    OpenDialog(QWidget* parent, const QString& title, const QString& folder, const QStringList& filters);

    /// The chosen files, or the typed name; empty: it was cancelled.
    static QStringList ask(QWidget* parent, const QString& title, const QString& folder,
                           const QStringList& filters);
    /// Valid once the dialog was accepted.
    QStringList names() const { return typed_.isEmpty() ? selectedFiles() : QStringList(typed_); }

  protected:
    void accept() override;
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    /// The typed name with its folder, if it is that of a series or of an object; empty: it is neither.
    QString typedName() const;
    void showWhetherOpen();

    QString typed_;
    QLineEdit* name_;
    QPushButton* open_;
};

}  // namespace ks::ui
