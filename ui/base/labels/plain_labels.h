#pragma once

class QApplication;

namespace ks::ui {

/// Makes labels and tool tips show text literally, even where it looks like HTML: names of files, kernels and
/// variants are written by others, and HTML could reference files to be opened. A label that is meant to be
/// rich text calls setTextFormat(Qt::RichText) and escapes what it inserts. Called once before the first
/// window is created.
void showLabelsAsPlainText(QApplication& application);

}  // namespace ks::ui
