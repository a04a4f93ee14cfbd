#pragma once

#include <QString>
#include <string>

namespace ks::ui {

/// The text of a file as an editor shows it. The bytes are read as UTF-8, or as Latin-1 if they are not
/// UTF-8. Every line end is '\n', no-break spaces are spaces, and a byte order mark is left out, as in
/// QPlainTextEdit::toPlainText().
QString shownText(const std::string& bytes);

/// The bytes of an edited text. A line that is also in `before` keeps its bytes and its line end. Other lines
/// get the encoding of `before`, and the line end of the line that they replace or, if they are new, the most
/// frequent one. Throws ks::Error(input) if `before` is Latin-1, and the text has a character that Latin-1
/// does not have.
/// @param text as from shownText()
/// @param before contents of the file
/// @param file named by the error
std::string bytesOf(const QString& text, const std::string& before, const std::string& file);

}  // namespace ks::ui
