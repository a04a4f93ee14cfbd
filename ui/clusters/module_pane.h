#pragma once

#include <QHash>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/clusters/cluster_difference.h"
#include "ui/clusters/modules/map_scene.h"
#include "ui/clusters/step_recorder.h"

class QAction;
class QComboBox;

namespace ks::ui {
class ElidedLabel;
class Jobs;
}  // namespace ks::ui

namespace ks::ui::clusters {

class ModuleMap;
class StepPanel;

/// The pixels of the selected module: its digis with the clusters of a run, the selected cluster, and the
/// steps of the algorithms, if they are shown and were recorded of it.
class ModulePane : public QWidget {
    Q_OBJECT
  public:
    /// @param page whose shortcuts these are; it and the jobs outlive the pane
    ModulePane(Jobs& jobs, QWidget& page);
    ~ModulePane() override;

    /// What fills the map. Null, or no slot: nothing.
    /// @param run whose clusters are shown; null: none
    void setModule(std::shared_ptr<const DigiSet> digis, std::shared_ptr<const RunClusters> run,
                   std::optional<std::size_t> slot);
    /// The displayed runs, newest first, in which to look for recorded steps.
    void setRuns(const std::vector<ShownRun>& runs, const DigiSet* digis);
    /// Notes on the displayed and on the recorded run, for badges: "outdated (Connectivity)"; empty: none.
    void setNotes(const QString& ofShown, const QString& ofRecorded);
    /// Whether the panel with the steps is visible: then the maps show them.
    void setStepping(bool stepping);
    /// @param reading the digis are on their way
    /// @param whyNot why no module can be recorded; empty: one can
    void setEmptyTexts(bool reading, const QString& whyNot);

    /// Cluster of the run, not necessarily of this module.
    std::optional<std::size_t> picked() const { return picked_; }
    /// Notes a cluster for when its module is drawn. @param look scroll to it then
    void select(std::optional<std::size_t> cluster, bool look);
    /// Selects a cluster and marks it, now or when the module is drawn. @param look scroll to it
    void pick(std::optional<std::size_t> cluster, bool look);
    /// Outlines the clusters of the older run that a difference is about, and scrolls to it; null: none.
    void compare(const ClusterDifference* one, std::shared_ptr<const RunClusters> older = nullptr);

    /// The map shows labels of the recorded run, not clusters of the displayed one.
    bool mapsRecorded() const;

    ModuleMap& map() const { return *map_; }
    /// Union-find in the pixels of the module.
    ModuleMap& trees() const { return *trees_; }
    /// trees() with a title, to be placed next to this widget; hidden without recorded trees.
    QWidget& treesSide() const { return *treesSide_; }
    /// Of the bar above the map: pictures next to it begin below a bar of the same height.
    int barHeight() const { return barHeight_; }
    StepPanel& steps() const { return *steps_; }
    StepRecorder& recorder() const { return *recorder_; }
    QComboBox& colouring() const { return *colouring_; }
    /// Above the map: what is displayed.
    ElidedLabel& status() const { return *status_; }
    /// "outlines" or "centroids".
    QAction* action(const char* name) const { return actions_.value(QLatin1String(name)); }

  signals:
    void cursorMoved(const QString& text);
    /// A cluster was clicked, or a pixel without one.
    void clicked(std::optional<std::size_t> cluster);
    /// The maps show the module, the clusters or the steps that were set last.
    void shown();
    void failed(const ks::Error& error);

  private:
    void makeActions();
    void layOut();
    void connectMaps();
    void connectSteps();
    void showTrace();
    void showScenes();
    void showNotes();
    /// Steps of the displayed module; null: they are not shown, or not recorded.
    std::shared_ptr<const StepTrace> shownTrace() const;
    void readOut(const QPoint& pixel);
    void pointAt(std::optional<QPoint> pixel);
    void clickedPixel(const QPoint& pixel);
    /// @param first index of the first digi of its pixel
    QString digiText(std::size_t first) const;

    Jobs& jobs_;
    QWidget& page_;
    std::shared_ptr<const RunClusters> run_, older_;
    std::shared_ptr<const ModuleViewData> data_;
    std::optional<std::size_t> slot_;
    std::optional<std::size_t> picked_,
        wanted_;                         ///< wanted_: cluster to scroll to once its module is drawn
    std::vector<std::uint32_t> others_;  ///< clusters of older_ that are outlined
    std::optional<QRectF> lookAt_;       ///< of the difference, in pixels
    bool stepping_ = false;
    QString shownNote_, recordedNote_;

    ModuleMap *map_, *trees_;
    StepPanel* steps_;
    StepRecorder* recorder_;
    QComboBox* colouring_;
    ElidedLabel* status_;
    QWidget* treesSide_ = nullptr;
    int barHeight_ = 0;
    QHash<QString, QAction*> actions_;
};

}  // namespace ks::ui::clusters
