#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>

#include "core/base/error.h"

namespace ks::ui {

/// Work that is still to be written for the next start: soon, or again and again if that fails, because the
/// disk is full, say. The window asks about what is left before it closes.
class UnkeptWork : public QObject {
    Q_OBJECT
  public:
    static constexpr int tryAgainMs = 2000;

    explicit UnkeptWork(QObject* parent = nullptr);
    /// Tries once more.
    ~UnkeptWork() override;

    /// Replaces earlier work with the same key.
    /// @param title for people: "the measurement of Matrix multiplication"
    /// @param write throws ks::Error
    /// @param why of an attempt that has failed already: failed() follows at once
    void put(const QString& key, const QString& title, std::function<void()> write,
             const std::optional<Error>& why = {});
    /// It was written in another way, or is not wanted any more.
    void remove(const QString& key);
    /// The same for all keys that begin with this.
    void removeAll(const QString& begin);
    /// Tries all of it now. Returns the titles of what cannot be written.
    QStringList writeNow();
    /// Why the first of it could not be written; nothing: nothing has failed.
    std::optional<Error> why() const;

  signals:
    /// Something cannot be written, for the first time.
    void failed(const ks::Error& error);
    /// The error of failed() no longer applies.
    void mended(const ks::Error& error);

  private:
    struct One {
        QString title;
        std::function<void()> write;
        std::optional<Error> why;
    };
    std::map<QString, One> all_;  ///< by key
    QTimer timer_;
};

}  // namespace ks::ui
