#pragma once

#include <map>
#include <optional>
#include <string>

#include <QDialog>

#include "ui/plots/figure_export.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSettings;
class QSpinBox;

namespace ks::ui {

/// What a figure's file is called and said to be.
struct FigureFile {
    QString proposal;  ///< without suffix: "/home/me/scan_012_g2"
    FigureText text;
    std::map<std::string, std::string> read;  ///< files that must not be replaced, by what they are read as
};

/// Asks for the format, the size and the look of a figure, with a preview. The choices of the last time come
/// back.
class ExportDialog : public QDialog {
    Q_OBJECT
  public:
    /// @param settings where the choices are kept, in the group "figure"; null: nowhere
    ExportDialog(const ExportablePlot& plot, FigureFile file, QSettings* settings, QWidget* parent = nullptr);

    FigureOptions options() const;
    /// "png", "svg", "pdf", "csv"
    QString format() const;
    /// As Save does once a name was chosen. Throws as exportFigure() does, and ks::Error(input) where one of
    /// the files that are read would be replaced.
    void write(const QString& path);
    void copy();
    /// The file that was written; empty: none.
    const QString& written() const { return written_; }
    const QString& proposal() const { return file_.proposal; }

  private:
    void restore();
    void keep() const;
    void save();
    void fitHeight();
    void showChoices();
    void showPreview();
    void resizeEvent(QResizeEvent* event) override;

    const ExportablePlot& plot_;
    FigureFile file_;
    QSettings* settings_;
    QComboBox *format_, *look_;
    QDoubleSpinBox *width_, *height_;
    QCheckBox* shape_;
    QSpinBox *font_, *dpi_;
    QLabel *preview_, *wrong_;
    QPushButton *copy_, *save_;
    QString written_;
};

}  // namespace ks::ui
