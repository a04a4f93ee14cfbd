#pragma once

#include <map>
#include <string>
#include <vector>

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

/// File name and description of a figure.
struct FigureFile {
    QString proposal;  ///< without suffix: "/home/me/scan_012_g2"
    FigureText text;
    std::map<std::string, std::string> read;  ///< files that must not be replaced, and what each is in use as
};

/// A plot and its file.
struct Figure {
    const ExportablePlot* plot;
    FigureFile file;
};

/// Selects one of several plots to export, with the format, size and look of the figure and a preview. The
/// last choices are restored.
class ExportDialog : public QDialog {
    Q_OBJECT
  public:
    /// @param figures at least one; must outlive the dialog
    /// @param chosen index of the figure shown first
    /// @param settings where the choices are saved, in the group "figure"; null: not saved
    ExportDialog(std::vector<Figure> figures, std::size_t chosen, QSettings* settings,
                 QWidget* parent = nullptr);
    /// For a single plot.
    ExportDialog(const ExportablePlot& plot, FigureFile file, QSettings* settings, QWidget* parent = nullptr);

    FigureOptions options() const;
    /// "png", "svg", "pdf", "csv"
    QString format() const;
    /// What Save does once a name has been chosen. Throws as exportFigure() does, and ks::Error(input) if it
    /// would replace one of the input files.
    void write(const QString& path);
    void copy();
    /// The written file; empty: none.
    const QString& written() const { return written_; }
    const QString& proposal() const { return figure().file.proposal; }

  private:
    void fillFields(std::size_t chosen);
    void layOut();
    void connectParts();
    const Figure& figure() const;
    void showPlot();
    /// A plot that shows nothing is not exported, and its reason is said.
    void showWhyEmpty();
    void restore();
    void keep() const;
    void save();
    void fitHeight();
    void showChoices();
    void showPreview();
    void resizeEvent(QResizeEvent* event) override;

    std::vector<Figure> figures_;
    QSettings* settings_;
    QComboBox *which_, *format_, *look_, *legend_;
    QDoubleSpinBox *width_, *height_;
    QCheckBox* shape_;
    QSpinBox *font_, *dpi_;
    QLabel *preview_, *wrong_;
    QPushButton *copy_, *save_;
    QString written_;
};

}  // namespace ks::ui
