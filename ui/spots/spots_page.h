#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QTimer>
#include <optional>
#include <vector>

#include "ui/shell/frames/frames_page.h"
#include "ui/spots/spot_overlay.h"

class QAction;

namespace ks::ui {
class ElidedLabel;
}

namespace ks::ui::spots {

class HotPixelsLine;
class IntermediateImage;
class SpotPlots;
class SpotTable;
class ThresholdForm;

/// The detector image with signal and spots of the ticked runs, or of a preview of the displayed frame,
/// on top; the table of spots and their statistics in the drawer. Frames are counted from 0, as in
/// parameters and files.
class SpotsPage : public FramesPage {
    Q_OBJECT
  public:
    explicit SpotsPage(PageContext& context);
    ~SpotsPage() override;

    QString title() const override { return tr("Spots"); }
    int order() const override { return 20; }
    OwnParameters ownParameters() const override;
    void resetParameters() override;
    void apply(const ParameterSet& given) override;
    void setFile(std::shared_ptr<const OpenFile> file) override;
    /// Integers in the frames' shape become the mask.
    bool useObject(const QString& path) override;
    QString missing() const override;
    void fillOwn(ParameterSet& parameters) const override;
    FileValues fileValues() const override;
    void formEdited(const QStringList& ids, const ParameterSet& values) override;
    Reduced reduce(Request& request, double share) const override;
    void setPreview(std::shared_ptr<const Run> run) override;
    void setRuns(const std::vector<RunRow>& runs) override;
    bool showPlace(const VerdictPlace& place) override;
    std::vector<NamedPlot> plots() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;

    ThresholdForm& form() { return *form_; }
    SpotTable& table() { return *table_; }
    SpotPlots& statistics() { return *plots_; }
    HotPixelsLine& hotPixels() { return *hot_; }
    const SpotLayer& layer() const { return overlay_->layer(); }
    /// "signal", "boxes", "centroids", "dropped", "difference", "next", "previous".
    QAction* action(const QString& name) const { return actions_.value(name); }
    std::optional<std::size_t> picked() const { return overlay_->picked(); }
    QString status() const;

  public slots:
    /// Puts the hot pixels of the displayed run into the mask, in one step of the history.
    void maskHot();
    /// Selects a spot of the displayed run. @param look show its frame and centre on it
    void pick(std::optional<std::size_t> spot, bool look);
    void step(int by);

  signals:
    /// Another overlay is drawn from now on.
    void overlayShown();

  private:
    void makeActions();
    void makeCentre();
    QWidget* makeBar();
    void connectParts();
    void edited() override;
    void showOutdated() override;
    bool isOfFrames(const Run& run) const override;
    bool isShownAlone(const Run& run) const override;
    /// Why nothing is shown although runs are ticked; empty: another reason.
    QString whyNone() const;
    void showIce();
    void showResult();
    void showTable();
    void showPickedRow();
    void showOrigin(const FoundSpots* found);
    void showFrame();
    void showStyle();
    /// Marks the image if a run on it is wrong or outdated.
    void showNote();
    void showStatus();
    /// Whether the displayed result is a preview of the displayed frame, which runs leave out.
    bool previewsLeftOut() const;
    void showStatistics();
    /// Says which pixels are signal in all frames of the displayed run, and whether they are masked now.
    void showHot();

    double iceWidth_ = 0;  ///< of the bands in the plot over resolution
    bool quiet_ = false;   ///< inputs are changed by the program
    bool isNew_ = false;   ///< no frame of the file has been shown yet
    mutable std::string
        leaveOut_;  ///< the frames that runs leave out, as of the newest edit or requested preview
    mutable QElapsedTimer asked_;  ///< since the newest preview was requested, until it is there
    qint64 took_ = 0;              ///< nanoseconds, the newest one that is there
    QTimer tableLater_;            ///< the overlay is updated first
    quint64 maskSeen_ = 0;         ///< SessionMask::revision() last handled by the page

    SpotTable* table_;
    HotPixelsLine* hot_;  ///< below the table
    SpotPlots* plots_;
    ThresholdForm* form_;
    ElidedLabel* status_;
    SpotOverlay* overlay_;
    IntermediateImage* intermediate_;
    QHash<QString, QAction*> actions_;
};

}  // namespace ks::ui::spots
