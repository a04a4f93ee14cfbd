#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <string>
#include <utility>
#include <vector>

class QSettings;
class QWidget;

namespace ks::ui {

/// Remembers where files of each kind ("run", "csv", "figure", "mask", "bins", "geometry", "table",
/// "project") were last saved. A child of the window, so that all parts of the window find it.
class SaveFolders : public QObject {
    Q_OBJECT
  public:
    /// @param settings outlives it; uses the group "saveFolders"
    SaveFolders(QSettings& settings, QObject* parent);

    /// Of the window that contains a widget; null: there is none.
    static SaveFolders* of(const QWidget* widget);

    /// The data that proposed names are derived from; empty: none.
    void setData(const QString& path) { data_ = path; }
    /// Files whose results may be saved next to each other: of two with the same name, proposed names contain
    /// as much of the folder as distinguishes them, "b_scan_012_g2.csv".
    void setNamed(std::function<std::vector<std::string>()> files) { named_ = std::move(files); }
    /// "/folder/scan_012_g2.csv" from "g2.csv": in the folder of the kind, else next to the data, else where
    /// anything was saved last, else in the home folder. Data in a cache are ignored: nobody looks for
    /// results there.
    QString proposal(const QString& kind, const QString& leaf) const { return proposal(kind, leaf, data_); }
    /// The same for a result of data other than the open ones.
    QString proposal(const QString& kind, const QString& leaf, const QString& data) const;
    /// The folder of a kind, as above, for results of these data; empty: none.
    QString folder(const QString& kind, const QString& data) const;
    void remember(const QString& kind, const QString& path);

  signals:
    /// A sentence for the status bar: what a part of the window wrote, and where.
    void reported(const QString& sentence);

  private:
    QSettings& settings_;
    QString data_;
    std::function<std::vector<std::string>()> named_;
};

/// The path that a dialog proposes: with the folders of the window that contains a widget, else the leaf
/// alone.
QString savePath(const QWidget* widget, const QString& kind, const QString& leaf);
/// The same for results that were not computed from the open data.
QString savePathOfNone(const QWidget* widget, const QString& kind, const QString& leaf);
/// Shows the save dialog and returns the path, with the suffix of the chosen filter if none was typed; empty:
/// cancelled. The dialog has confirmed any overwriting.
QString askSavePath(QWidget* parent, const QString& title, const QString& proposal, const QString& filters);
struct ChosenPath {
    QString path;
    qsizetype filter;  ///< index of the chosen filter
};
/// The same, and which filter was chosen. @param filters at least one
ChosenPath askSavePath(QWidget* parent, const QString& title, const QString& proposal,
                       const QStringList& filters);
/// Remembers the folder of the chosen path; does nothing for an empty path.
void rememberSaved(const QWidget* widget, const QString& kind, const QString& path);
/// Emits SaveFolders::reported() of the window that contains a widget, if it has one.
void reportSaved(const QWidget* widget, const QString& sentence);

}  // namespace ks::ui
