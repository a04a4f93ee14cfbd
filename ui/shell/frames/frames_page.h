#pragma once

#include <memory>

#include "ui/image/panel/image_panel.h"
#include "ui/runs/run_choice.h"
#include "ui/shell/analysis_page.h"

namespace ks::ui {

/// A page whose data are frames: the detector image with the mask and the geometry that all such pages share,
/// and which runs are of these frames.
class FramesPage : public AnalysisPage {
    Q_OBJECT
  public:
    QWidget* inputWidget() override { return inputs_; }
    void closeFile() override { setFile(nullptr); }
    void apply(const ParameterSet& given) override;
    QString missing() const override;
    void fill(Request& request) const override;
    FileValues fileValues() const override;
    void setOutdated(const QStringList& labels) override;
    std::vector<PicturePlace> pictures() const override;
    QList<QAction*> editActions() const override;

    ImagePanel& imagePanel() { return *image_; }
    DetectorView& image() { return image_->view(); }

  protected:
    FramesPage(const QString& analysis, PageContext& context);
    /// The first part of setFile().
    void take(std::shared_ptr<const OpenFile> file);
    /// Whether a run is of the frames as they are now.
    virtual bool isOfFrames(const Run& run) const;
    /// Whether a run is shown although no file is open: its frames are lost.
    virtual bool isShownAlone(const Run&) const { return false; }
    /// Inputs of the next run have changed.
    virtual void edited() = 0;
    /// As edited(), but of mask or geometry, possibly by another page: waits until this one is shown.
    void editedSomewhere();
    /// Whether the mask has changed by an edit: an editor that was cleared for other frames has no steps.
    bool maskEdited() const;
    virtual void showOutdated() = 0;
    /// Own parameters of all such pages: of the file's mask and of the geometry.
    static QStringList sharedParameters();
    void showEvent(QShowEvent* event) override;
    void showOpening();

    PageContext& context_;
    std::shared_ptr<const OpenFile> file_;
    RunChoice runs_;
    QStringList outdated_;  ///< labels of parameters whose values differ from the newest run's
    ImagePanel* image_;
    QWidget* inputs_;  ///< without a layout at first

  private:
    bool editWaits_ = false;  ///< mask or geometry was edited while another page was shown
};

}  // namespace ks::ui
