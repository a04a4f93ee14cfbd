#pragma once

#include <map>
#include <optional>
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

/// What a figure's file is called and said to be.
struct FigureFile {
    QString proposal;  ///< without suffix: "/home/me/scan_012_g2"
    FigureText text;
    std::map<std::string, std::string> read;  ///< files that must not be replaced, by what they are read as
};

/// A plot and the file it goes to.
struct Figure {
    const ExportablePlot* plot;
    FigureFile file;
};

/// Asks which of several plots is exported, and for the format, the size and the look of the figure, with a
/// preview. The choices of the last time come back.
class ExportDialog : public QDialog {
    Q_OBJECT
  public:
    /// @param figures one at least; they outlive the dialog
    /// @param chosen index of the one that is shown first
    /// @param settings where the choices are kept, in the group "figure"; null: nowhere
    ExportDialog(std::vector<Figure> figures, std::size_t chosen, QSettings* settings,
                 QWidget* parent = nullptr);
    /// Of one plot alone.
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
    const QString& proposal() const { return figure().file.proposal; }

  private:
    const Figure& figure() const;
    void showPlot();
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
