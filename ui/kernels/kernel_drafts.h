#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace ks::ui {

/// Kernel texts that have not been saved to the user's files, one file each in one folder, so that they
/// survive the end of the program, including a crash.
class KernelDrafts {
  public:
    struct Draft {
        QString analysis;  ///< of the kernel
        QString file;      ///< of the kernel; it may no longer exist
        QString text;      ///< that is not in the file
        QString before;    ///< contents of the file when the text was changed
        QString of = {};   ///< file of the kernel that this is another text of (adopt()); empty: none
    };

    /// Created when the first text is kept. Empty: nothing is kept.
    void setFolder(const QString& folder) { folder_ = folder; }
    bool hasFolder() const { return !folder_.isEmpty(); }
    /// Atomic. Throws ks::Error as AtomicFile does.
    void keep(const Draft& draft) const;
    void drop(const QString& file) const;
    /// Invalid drafts are ignored.
    std::optional<Draft> find(const QString& file) const;
    std::vector<Draft> all() const;
    /// Takes over the drafts of another folder. A text that differs from the draft of the same file here is
    /// kept as the text of a file with a free name next to it, such as "name-2.cl". What cannot be taken over
    /// stays where it is.
    void adopt(const QString& from) const;

  private:
    QString nameOf(const QString& file) const;
    /// A file next to this one that neither exists nor has a draft.
    QString freeFile(const QString& file) const;

    QString folder_;
};

}  // namespace ks::ui
