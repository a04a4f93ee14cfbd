#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.h"

class QWidget;

namespace ks::ui {

/// What must not be replaced when a part of the window saves a file, and the last save that failed. A child
/// of the window, so that all parts of the window find it.
class SaveGuard : public QObject {
    Q_OBJECT
  public:
    /// Names, "FILE" or "FILE::/path", by what they are in use as: "the data of run 3".
    using Names = std::map<std::string, std::string>;

    explicit SaveGuard(QObject* parent) : QObject(parent) {}

    /// Of the window that contains a widget; null: there is none.
    static SaveGuard* of(const QWidget* widget);

    void setRead(std::function<Names()> read) { read_ = std::move(read); }
    /// What the window reads, for io::require_not_read().
    Names read() const { return read_ ? read_() : Names(); }

    /// The error is shown elsewhere; it applies until a save succeeds.
    void setFailed(const Error& error) { failed_ = error; }
    void setSucceeded();

  signals:
    /// A save succeeded after this one had failed.
    void mended(const ks::Error& error);

  private:
    std::function<Names()> read_;
    std::optional<Error> failed_;
};

/// What the window that contains a widget reads; `more` alone if there is no window.
SaveGuard::Names filesRead(const QWidget* widget, SaveGuard::Names more = {});
/// Tells the guard of the window that contains a widget, if there is one.
void reportSaveFailed(const QWidget* widget, const Error& error);
void reportSaveSucceeded(const QWidget* widget);

}  // namespace ks::ui
