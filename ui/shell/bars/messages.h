#pragma once

#include <QObject>
#include <QString>

#include "core/base/error.h"
#include "ui/shell/bars/notice_bar.h"

namespace ks::ui {

/// What a window tells its user. Its parts emit these signals; the status bar, the error bar and the notices
/// follow them.
class Messages : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

  signals:
    /// For the status bar; empty: clears it.
    /// @param milliseconds 0: until the next message
    void said(const QString& text, int milliseconds = 0);
    void warned(const QString& sentence, const QString& details = {});
    void failed(const ks::Error& error);
    /// A notice, shown until noticeEnded().
    void noticed(const ks::ui::Notice& notice);
    void noticeEnded(const QString& id);
};

}  // namespace ks::ui
