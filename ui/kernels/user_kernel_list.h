#pragma once

#include <QString>
#include <QWidget>
#include <map>
#include <set>
#include <vector>

#include "core/run/variant.h"

class QListWidget;
class QPushButton;

namespace ks::ui {

/// The files of the user's own kernels of one analysis, with a menu of what can be done with the open one.
class UserKernelList : public QWidget {
    Q_OBJECT
  public:
    explicit UserKernelList(QWidget* parent = nullptr);

    /// Where they lie; at first user_variants_folder().
    void setFolder(const QString& folder) { folder_ = folder; }
    const QString& folder() const { return folder_; }
    /// @param shipped variants of the analysis, which can be bases
    void setAnalysis(const QString& analysis, std::vector<Variant> shipped);
    /// Reads the folder again. @param open the file that is open @param unsaved files of the analysis whose
    /// text is in no file yet; they are listed also where they are gone
    void fill(const QString& open, const std::set<QString>& unsaved);
    /// Empty: there is none of this name.
    QString fileOf(const QString& name) const;
    /// Throws ks::Error(input) where another kernel of the analysis than `but` has the name already, be it in
    /// other letters or another folder.
    void requireFree(const QString& name, const QString& but) const;
    /// Why the kernel cannot be run; empty: it can, or is not listed.
    QString faultOf(const QString& file) const;
    /// A name that is not taken: "gram.tiled-2".
    QString freeName(const Variant& of) const;

    /// What copyWanted() would copy; empty: nothing.
    void setCopied(const QString& variant);

    QListWidget& list() { return *list_; }

  signals:
    void chosen(const QString& file);
    void copyWanted();
    /// The open one: is to get another name, is to go, is to be opened elsewhere.
    void renameWanted();
    void removeWanted();
    void openElsewhereWanted();

  private:
    void showFolder();

    QString folder_, analysis_;
    std::vector<Variant> shipped_;
    std::map<QString, QString> files_;   ///< by name
    std::map<QString, QString> faults_;  ///< by file
    QListWidget* list_;
    QPushButton* copy_;
};

}  // namespace ks::ui
