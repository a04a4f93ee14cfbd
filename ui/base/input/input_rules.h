#pragma once

class QApplication;
class QObject;

namespace ks::ui {

/// Rules for input in all windows of the program; called once before the first window is created:
/// - Numbers are shown and read with a decimal point whatever the locale (see DecimalBox). The same holds for
///   C libraries, which a QApplication switches to the locale of the environment.
/// - The wheel changes the value of a field, slider, combo box or tab bar only if it has the focus, which the
///   wheel does not give; otherwise it scrolls the surroundings.
/// - A number or text being typed is committed before a shortcut or a press of the mouse elsewhere acts, even
///   if the pressed widget does not take the focus. What starts work (holdForFields()) does not act if the
///   text is not taken as it is.
/// - The Tab key leaves tables and texts that are only read, and passes over hidden bars of tabs.
void applyInputRules(QApplication& application);

/// Marks an action or a button that starts work with the values of fields. Its shortcut, or a press on it or
/// on a tool button of the action, does nothing but tell the user at the field if what was typed there is not
/// a value that the field takes (DecimalBox::refusal()): the work would take another one.
/// @param holds false where it ends the work instead
void holdForFields(QObject& starter, bool holds = true);

/// Makes labels and tool tips show text literally, even where it looks like HTML: names of files, kernels and
/// variants are written by others, and HTML could reference files to be opened. A label that is meant to be
/// rich text calls setTextFormat(Qt::RichText) and escapes what it inserts. Called once before the first
/// window is created.
void showLabelsAsPlainText(QApplication& application);

}  // namespace ks::ui
