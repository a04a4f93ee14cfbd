#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <map>
#include <string>

#include "core/run/user/user_variant.h"
#include "ui/shell/session/session_document.h"

namespace ks::ui {

struct RunRow;
struct Workbench;

/// Texts of kernels in runs become kernels of the user's: as copies to be edited, or under their own name if
/// a session, a project or a saved run chooses a kernel that does not exist here, which a notice says. As all
/// code from files, an unknown text is shown and asked about first; no file is overwritten.
class RunKernels : public QObject {
    Q_OBJECT
  public:
    /// @param bench outlives it
    RunKernels(Workbench& bench, QObject* parent);

    /// The variants of the pages were chosen by a document.
    /// @param by "the project"
    void expect(const QString& by, const SessionDocument& document);
    /// The same for the variant of a run.
    void expect(const RunRow& run);
    /// Writes the text of a run's kernel to a file with a free name, with the definitions that the run was
    /// given in its header: the copy compiles what the run compiled.
    void copy(int number);

  signals:
    /// copy() has written this file.
    void copied(const QString& analysis, const QString& file);

  private:
    struct Expected {
        std::string variant;  ///< id
        QString by, told = {};
    };
    void look();
    /// Text of the notice; empty: the variant exists here, or is not chosen any more.
    QString absence(const std::string& analysis, const Expected& one) const;
    /// The newest run with the text of this kernel; null: there is none.
    const RunRow* runOf(const std::string& analysis, const std::string& variant) const;
    bool mayBeCompiled(const Run& run) const;
    void take(int number);
    /// Throws ks::Error as save_user_variant() does, and if the kernel is not valid.
    /// @param defines values to be set in its header
    UserVariant write(const Run& run, const std::string& name,
                      const std::map<std::string, std::string>& defines = {}) const;

    Workbench& bench_;
    std::map<std::string, Expected> expected_;  ///< by analysis: variants that have not been found yet
    QTimer soon_;
};

}  // namespace ks::ui
