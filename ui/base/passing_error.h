#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/error.h"

namespace ks::ui {

/// An error that goes once what caused it has changed. A page or a panel has one for what it refused last.
class PassingError : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// @param lasts whether it still applies, asked by review(); null: until the next review()
    void show(const Error& error, std::function<bool()> lasts = nullptr) {
        shown_ = error;
        lasts_ = std::move(lasts);
        emit failed(error);
    }
    /// The inputs have changed.
    void review() {
        if (shown_ && !(lasts_ && lasts_())) emit mended(*std::exchange(shown_, std::nullopt));
    }
    /// The error is replaced by another one or dismissed.
    void forget() { shown_.reset(); }
    bool isShown() const { return shown_.has_value(); }

  signals:
    void failed(const ks::Error& error);
    /// The last failed() no longer applies.
    void mended(const ks::Error& error);

  private:
    std::optional<Error> shown_;
    std::function<bool()> lasts_;
};

}  // namespace ks::ui
