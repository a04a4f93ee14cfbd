#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <string>
#include <vector>

namespace ks::ui {

/// The number that a user typed: "1.55", "1,55", "-3e-4". Both point and comma are decimal marks whatever the
/// locale. Nothing if the text is no finite number, or if a comma might as well separate thousands:
/// "1,234.5", "1,234,567", and "1,234" unless the comma is the decimal mark of this computer's locale.
std::optional<double> readNumber(const QString& text);
/// The same, with the given answer to whether the comma is the decimal mark where the text was typed.
std::optional<double> readNumber(const QString& text, bool decimalComma);

/// The number of a text whose digits are in groups of three, which leave no doubt: "20.000.000", "1,234.5",
/// "1 000 000", "1'000". Nothing otherwise; for "1,234" and "1.234" only if `whole` says that the number can
/// have no decimals.
std::optional<double> readGroupedNumber(const QString& text, bool whole);

/// The whole number of a field or of a list: "1000", "1e3", "20.000.000", "1 000". Nothing for any other
/// text, including "1,000" and "1.000", which may be 1000 or 1.
std::optional<double> readWholeNumber(const QString& text);
/// A part of a list as digits alone: "1000" for "1e3" or "1 000"; a text that is no whole number is
/// unchanged.
QString wholeNumberDigits(const QString& text);

/// A part of a list of numbers.
struct NumberPart {
    QString plain;  ///< with decimal points
    QString typed;  ///< for messages
};
/// Splits a list of numbers or ranges. Semicolons separate, and so do commas
/// if no number contains one: "1.5, 2.5", "1,5; 2,5", "1,5, 2,5". Throws ks::Error(input) for a list such as
/// "1,5", which may be one number or two. `where` names the field.
std::vector<NumberPart> numberParts(const QString& text, const std::string& where);

}  // namespace ks::ui
