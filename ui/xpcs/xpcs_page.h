#pragma once

#include <QPointF>
#include <memory>
#include <vector>

#include "core/data/q_partition.h"
#include "ui/models/bin_table_model.h"
#include "ui/shell/page.h"
#include "ui/xpcs/partition_form.h"

class QLabel;
class QTableView;

namespace ks::ui {
class CurvePlot;
class DetectorView;
class FrameSlider;
class ImageControls;
class MapPlot;
}  // namespace ks::ui

namespace ks::ui::xpcs {

/// The detector image with the bins on top, g2 curves of the ticked runs, and the two-time map of the picked
/// bin.
class XpcsPage : public Page {
    Q_OBJECT
  public:
    explicit XpcsPage(PageContext& context);
    ~XpcsPage() override;

    QString analysis() const override { return QStringLiteral("xpcs"); }
    QString title() const override { return tr("XPCS"); }
    QStringList ownParameters() const override {
        return {QStringLiteral("two_time_bin"), QStringLiteral("swap_xy")};
    }
    QWidget* dataWidget() override { return binsWidget_; }
    int order() const override { return 10; }
    QWidget* inputWidget() override { return form_; }
    void apply(const ParameterSet& given) override;
    void setFile(std::shared_ptr<const OpenFile> file) override;
    bool useObject(const QString& path) override;
    QString missing() const override;
    void fill(Request& request) const override;
    void setRuns(const std::vector<RunRow>& runs) override;
    std::vector<NamedPlot> plots() const override;
    void save(QSettings& settings) const override;
    void restore(QSettings& settings) override;

    PartitionForm& partitionForm() { return *form_; }
    BinTableModel& bins() { return bins_; }
    CurvePlot& curves() { return *curves_; }
    MapPlot& twoTime() { return *twoTime_; }
    DetectorView& image() { return *image_; }
    const std::shared_ptr<const QPartition>& partition() const { return partition_; }
    int pickedBin() const { return picked_; }

  public slots:
    /// Label of the bin whose two-time map is wanted; asks for a run where no ticked run has it.
    void pickBin(int label);

  private:
    struct Partitioned {
        std::shared_ptr<const QPartition> partition;
        std::vector<BinMeaning> meanings;
    };
    void makeBinsWidget();
    void makeCentre();
    void connectParts();
    void readFrame(int frame);
    void makePartition();
    void showPartition(Partitioned made);
    void showRings();
    void showCurves();
    void showTwoTime();
    void binsSwitched();
    QStringList labelDatasets() const;
    std::optional<Geometry> geometry() const;
    QString cursorText(int column, int row, const QString& value) const;
    void changeEvent(QEvent* event) override;

    PageContext& context_;
    std::shared_ptr<const OpenFile> file_;
    std::shared_ptr<const QPartition> partition_;
    std::vector<BinMeaning> meanings_;
    std::vector<RunRow> runs_;
    BinTableModel bins_;
    int picked_ = 0;

    DetectorView* image_;
    FrameSlider* slider_;
    ImageControls* controls_;
    CurvePlot* curves_;
    MapPlot* twoTime_;
    PartitionForm* form_;
    QWidget* binsWidget_;
    QTableView* binsView_;
};

}  // namespace ks::ui::xpcs
