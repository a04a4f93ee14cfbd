#pragma once

#include <QString>
#include <QWidget>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/run/variant.h"

class QListWidget;
class QPushButton;

namespace ks::ui {

/// The files of the user's kernels of one analysis, with a menu of actions for the open one. The marked row
/// is always that of the open file. Rows stay where they are while a mouse button is down on them.
class UserKernelList : public QWidget {
    Q_OBJECT
  public:
    explicit UserKernelList(QWidget* parent = nullptr);

    /// Their folder; initially user_variants_folder().
    void setFolder(const QString& folder) { folder_ = folder; }
    const QString& folder() const { return folder_; }
    /// @param shipped variants of the analysis, which can be bases
    void setAnalysis(const QString& analysis, std::vector<Variant> shipped);
    /// Reads the folder again.
    /// @param open the open file
    /// @param unsaved files of the analysis with unsaved text; they are listed even if they no longer exist
    void fill(const QString& open, const std::set<QString>& unsaved);
    /// Empty: there is none of this name.
    QString fileOf(const QString& name) const;
    /// Throws ks::Error(input) if a kernel of the analysis other than `but` already has the name, even in
    /// different case or in another folder.
    void requireFree(const QString& name, const QString& but) const;
    /// Why the kernel cannot be run; empty: it can, or is not listed.
    QString faultOf(const QString& file) const;
    /// An unused name: "gram.tiled-2".
    QString freeName(const Variant& of) const;

    /// The variant that copyWanted() would copy; empty: none.
    void setCopied(const QString& variant);

    QListWidget& list() { return *list_; }

  signals:
    void chosen(const QString& file);
    void copyWanted();
    /// Requests for the open one: rename it, delete it, open it elsewhere.
    void renameWanted();
    void removeWanted();
    void openElsewhereWanted();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Row {
        QString file, tip;
        bool usable;  ///< it can be run
    };
    std::vector<Row> rowsOf(const std::set<QString>& unsaved) const;
    /// Makes the items those of the rows; items that stay keep their place in view.
    void takeRows(const std::vector<Row>& rows, const std::set<QString>& unsaved);
    void markOpen();
    void showFolder();

    QString folder_, analysis_, open_;
    std::vector<Variant> shipped_;
    std::map<QString, QString> files_;   ///< by name
    std::map<QString, QString> faults_;  ///< by file
    QListWidget* list_;
    QPushButton* copy_;
    bool pressed_ = false;  ///< a mouse button is down on the list
    /// Files with unsaved text, of a call of fill() that would have moved rows meanwhile.
    std::optional<std::set<QString>> waiting_;
};

}  // namespace ks::ui
