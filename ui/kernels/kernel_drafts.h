#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace ks::ui {

/// Texts of kernels that are in no file of the user's yet, each in a file of its own in one folder, so that
/// the end of the program, however it comes, does not lose them.
class KernelDrafts {
  public:
    struct Draft {
        QString analysis;  ///< of the kernel
        QString file;      ///< of the kernel; it may be gone
        QString text;      ///< that is not in it
        QString before;    ///< what stood in the file when the text was changed
    };

    /// Made when the first text is kept. Empty: nothing is kept.
    void setFolder(const QString& folder) { folder_ = folder; }
    bool hasFolder() const { return !folder_.isEmpty(); }
    /// Atomically. Throws ks::Error as AtomicFile does.
    void keep(const Draft& draft) const;
    void drop(const QString& file) const;
    /// What has no meaning is left out.
    std::optional<Draft> find(const QString& file) const;
    std::vector<Draft> all() const;
    /// Takes what another folder holds, of files of which there is nothing here.
    void adopt(const QString& from) const;

  private:
    QString nameOf(const QString& file) const;

    QString folder_;
};

}  // namespace ks::ui
