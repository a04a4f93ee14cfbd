#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <string>

namespace ks::ui {

/// The number that a person typed: "1.55", "1,55", "-3e-4". A point and a comma both are the decimal mark,
/// whatever the locale. Nothing where the text is no finite number, and where a comma may as well separate
/// thousands: "1,234.5", "1,234,567", and "1,234" unless the comma is the decimal mark of this computer's
/// locale.
std::optional<double> readNumber(const QString& text);
/// The same for a comma that is, or is not, the decimal mark where the text was typed.
std::optional<double> readNumber(const QString& text, bool decimalComma);

/// The parts of a list of numbers, or of ranges of them, with points as decimal marks. Semicolons separate,
/// and so do commas where no number has one: "1.5, 2.5", "1,5; 2,5", "1,5, 2,5". Throws ks::Error(input) for
/// a list such as "1,5", which may be one number or two. `where` names the field.
QStringList numberParts(const QString& text, const std::string& where);

/// Whether the text has no characters but those of numbers.
bool looksLikeNumber(const QString& text);

}  // namespace ks::ui
