#pragma once

#include <QObject>
#include <QString>

class QSettings;
class QWidget;

namespace ks::ui {

/// Where files of a kind ("run", "csv", "figure", "mask", "bins", "table", "project") were saved last. A
/// child of the window, so that all of its parts find it.
class SaveFolders : public QObject {
    Q_OBJECT
  public:
    /// @param settings outlives it; the group "saveFolders"
    SaveFolders(QSettings& settings, QObject* parent);

    /// Of the window around a widget; null: there is none.
    static SaveFolders* of(const QWidget* widget);

    /// The data that names are made from; empty: none.
    void setData(const QString& path) { data_ = path; }
    /// "/folder/scan_012_g2.csv" from "g2.csv": in the folder of the kind, else beside the data, else where
    /// anything was saved last, else at home. Data in a cache lie where nobody looks for results.
    QString proposal(const QString& kind, const QString& leaf) const { return proposal(kind, leaf, data_); }
    /// The same for a result of other data than the open ones.
    QString proposal(const QString& kind, const QString& leaf, const QString& data) const;
    /// The folder of a kind, as above, for results of these data; empty: none.
    QString folder(const QString& kind, const QString& data) const;
    void remember(const QString& kind, const QString& path);

  private:
    QSettings& settings_;
    QString data_;
};

/// What a dialog proposes: with the folders of the window around a widget, else the leaf alone.
QString savePath(const QWidget* widget, const QString& kind, const QString& leaf);
/// The same for what was not made from the open data.
QString savePathOfNone(const QWidget* widget, const QString& kind, const QString& leaf);
/// Asks for the file to write, which gets the suffix of the chosen filter where none was typed; empty: none
/// was chosen. Before one is overwritten the dialog has asked.
QString askSavePath(QWidget* parent, const QString& title, const QString& proposal, const QString& filters);
/// Keeps the folder of what was chosen; nothing for an empty path.
void rememberSaved(const QWidget* widget, const QString& kind, const QString& path);

}  // namespace ks::ui
