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
    /// Takes over the drafts of another folder for files that have none here.
    void adopt(const QString& from) const;

  private:
    QString nameOf(const QString& file) const;

    QString folder_;
};

}  // namespace ks::ui
