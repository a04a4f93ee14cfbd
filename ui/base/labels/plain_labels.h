#pragma once

class QApplication;

namespace ks::ui {

/// Labels and tool tips show text as it is, also where it looks like HTML: names of files, kernels and
/// variants are written by others, and HTML could name files to be opened. A label that is meant to be rich
/// says so with setTextFormat(Qt::RichText) and escapes what it inserts. Called once before the first window
/// is made.
void showLabelsAsPlainText(QApplication& application);

}  // namespace ks::ui
