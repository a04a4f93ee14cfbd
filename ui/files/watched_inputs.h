#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "ui/files/file_watch.h"
#include "ui/files/open_file.h"

namespace ks::ui {

class Jobs;

/// Files that a page reads besides the open one, by the role of the input: their states, and whether they
/// change on disk. Nothing of their contents is kept, so a file that has changed is looked at again.
class WatchedInputs : public QObject {
    Q_OBJECT
  public:
    explicit WatchedInputs(Jobs& jobs, QObject* parent = nullptr) : QObject(parent), jobs_(jobs) {}

    /// @param name "FILE" or "FILE::/path"; empty: the role has none
    void set(const std::string& role, const QString& name);
    void clear() { inputs_.clear(); }
    /// Looks whether they have changed, which the system does not always report. True: one has changed since
    /// it was looked at, which known() follows.
    bool look();
    /// As they were when they were looked at; without those for which this has not been done yet. A file that
    /// was removed is as it was last, since nobody can say that it is what a run has read.
    std::map<std::string, DataFiles> files() const;
    /// Roles whose file is not there.
    std::set<std::string> gone() const;

  signals:
    /// files() or gone() is different.
    void known();
    /// The file has changed on disk since it was looked at.
    void changed(const QString& file);

  private:
    struct Input {
        QString name;
        std::shared_ptr<const OpenFile> seen = {};  ///< null: not looked at yet
        bool gone = false;  ///< there is no such file now: `seen` is what was there last, if anything
        std::unique_ptr<FileWatch> watch = {};
    };
    void lookAt(const std::string& role);

    Jobs& jobs_;
    std::map<std::string, Input> inputs_;
};

}  // namespace ks::ui
