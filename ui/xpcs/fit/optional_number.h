#pragma once

#include <optional>

#include "ui/base/number_box.h"

namespace ks::ui::xpcs {

/// A field for a number that may be absent, which a word stands for: "auto". The word appears where the field
/// is emptied.
class OptionalNumber : public NumberBox {
  public:
    explicit OptionalNumber(const QString& absent, QWidget* parent = nullptr);

    std::optional<double> number() const;
    /// Emits nothing.
    void setNumber(const std::optional<double>& number);
    /// The number that a step from the word leads to.
    void setSuggested(double number) { suggested_ = number; }

    void stepBy(int steps) override;

  private:
    double suggested_ = 1;
};

}  // namespace ks::ui::xpcs
