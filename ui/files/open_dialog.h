#pragma once

#include <QFileDialog>

class QLineEdit;
class QPushButton;

namespace ks::ui {

/// Chooses files to open. Unlike QFileDialog it also accepts the name of a series that has files,
/// "img_####.tif", which no file has. It is never the platform's own dialog, which accepts only files.
class OpenDialog : public QFileDialog {
    Q_OBJECT
  public:
    OpenDialog(QWidget* parent, const QString& title, const QString& folder, const QStringList& filters);

    /// The chosen files, or the name of the series; empty: it was cancelled.
    static QStringList ask(QWidget* parent, const QString& title, const QString& folder,
                           const QStringList& filters);
    /// Valid once the dialog was accepted.
    QStringList names() const { return series_.isEmpty() ? selectedFiles() : QStringList(series_); }

  protected:
    void accept() override;
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    /// The typed name with its folder, if it is that of a series; empty: it is not.
    QString typedSeries() const;
    void showWhetherOpen();

    QString series_;
    QLineEdit* name_;
    QPushButton* open_;
};

}  // namespace ks::ui
