#pragma once

#include <QObject>
#include <QString>

namespace ks::ui {

class FileSession;
class Jobs;
class NoticeBar;

/// Notices about the open file: frames without data, and contents that have changed on disk since.
class FileNotices : public QObject {
    Q_OBJECT
  public:
    /// All outlive it.
    FileNotices(FileSession& files, Jobs& jobs, NoticeBar& notices, QObject* parent);

  private:
    void lookForMissing();
    /// The open file has changed since it was opened.
    void showChanged(const QString& changed);

    FileSession& files_;
    Jobs& jobs_;
    NoticeBar& notices_;
};

}  // namespace ks::ui
