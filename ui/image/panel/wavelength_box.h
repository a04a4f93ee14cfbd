#pragma once

#include "ui/base/number_box.h"

namespace ks::ui {

/// A field for a wavelength in angstrom that also accepts a photon energy: "12.4 keV", "8048 eV".
class WavelengthBox : public DecimalBox {
  public:
    using DecimalBox::DecimalBox;

    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
};

}  // namespace ks::ui
