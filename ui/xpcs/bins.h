#pragma once

#include <QObject>
#include <QScopedValueRollback>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ui/base/history.h"
#include "ui/base/passing_error.h"
#include "ui/files/file_watch.h"
#include "ui/shell/page.h"
#include "ui/xpcs/bins_panel.h"
#include "ui/xpcs/partition_form.h"
#include "ui/xpcs/partition_maker.h"
#include "ui/xpcs/run_curves.h"

namespace ks::ui {
class EdgeTool;
class ImagePanel;
}  // namespace ks::ui

namespace ks::ui::xpcs {

/// The bins of the frames in an image panel: made from the form, the tools on the image and the mask; shown
/// on the image and in the table, where each can be turned off.
class Bins : public QObject {
    Q_OBJECT
  public:
    /// Neither is owned; both must outlive it. Form and panel belong to the docks.
    Bins(PageContext& context, ImagePanel& image, QObject* parent);

    PartitionForm& form() { return *form_; }
    BinsPanel& panel() { return *panel_; }
    BinTableModel& model() { return panel_->model(); }
    EdgeTool& edgeTool() { return *edges_; }

    /// Drops the bins and proposes others. To be called once the panel has the file.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// Form, mask or geometry have changed.
    void edit();
    /// While the result exists, changes are not those of the user.
    QScopedValueRollback<bool> quietly() { return QScopedValueRollback(quiet_, true); }
    /// Reads labels that have changed on disk again; false: none have.
    bool renew();
    /// Makes the bins again if there are none: what they are made of can be read again.
    void retry();

    /// Without a partition while the bins are invalid.
    const Partitioned& made() const { return made_; }
    const std::shared_ptr<const QPartition>& partition() const { return made_.partition; }
    /// Those that are switched off in the table.
    BinsOff off() const { return {panel_->model().labelsOff(), partition()}; }
    /// Rings in use; nullopt: the bins are no valid rings.
    std::optional<PartitionRecipe> recipe() const;
    /// The bin of a pixel at this place of the image; 0: none.
    int labelAt(const QPointF& image) const;
    /// Newer bins than made() are being made.
    bool awaited() const { return maker_->awaited() || waits_; }
    /// Why there are no bins for a run, as a sentence; empty: there are.
    QString missing() const;
    /// Whether a run of these bins would use exactly these pixels.
    /// @param labels [y][x]; 0: in no bin
    bool haveLabels(std::span<const std::int32_t> labels) const;
    /// Whether they have the static bins that this request has.
    bool haveStatics(const Request& request) const;
    /// The inputs "partition", bin_q_role and static_bins_role, as far as there are any.
    void fill(Request& request) const;

    void dragRecipe(const PartitionRecipe& recipe, bool final);
    void showRings();

    /// They are not the proposed ones.
    bool chosen() const;
    void keep(PageState& state) const;
    void bringBack(const PageState& state);
    /// Bins are about to be restored: none are made until bringBack().
    void setExpecting(bool expecting) { expecting_ = expecting; }

    void exportLabels(const QString& path, bool overwrite);
    /// The theme has changed.
    void recolour(bool dark);

  signals:
    /// Other bins are being made.
    void edited();
    /// made() is another partition, which is about to be shown.
    void replaced();
    /// A change by the user is complete.
    void previewWanted();
    /// The bins of made() are visible. @param previewed previewWanted() was emitted for them
    void shown(bool previewed);
    /// Bins were turned on or off.
    void switched(bool previewed);
    /// There are no bins any more.
    void lost();
    /// The file of the labels has changed on disk since they were read.
    void changedOnDisk(const QString& file);
    void exported(const QString& path);
    void failed(const ks::Error& error);
    void mended(const ks::Error& error);

  private:
    /// The user's choice.
    struct Choice {
        PartitionForm::Fields form;
        std::vector<int> off;  ///< labels that are turned off
        bool operator==(const Choice&) const = default;
    };
    enum class Make { withTheMask, atOnce };
    /// Once the mask is known, so that the bins are not made twice.
    void make(Make when = Make::withTheMask);
    /// Without a file, it is as before the first one.
    void clearForm();
    void show(const Partitioned& made);
    void fail(const Error& error);
    void watchLabels();
    /// The labels could not be read: waits until their file is another one.
    void watchUnread();
    /// "4 of 7 bins on, 6120 of 12221 pixels"
    void showSummary();
    void showLabels();
    void showCounts();
    void showVisible();
    void takeSwitches();
    void askExport();
    void askImport();
    QStringList labelDatasets() const;
    /// q and azimuth of the bins of a run whose labels are passed by value, [bin][2], if only the file of the
    /// labels gives them.
    std::optional<Array> meaningsInRun(const std::vector<std::int32_t>& labels) const;
    /// By label: 0 in place of bins that are off.
    std::vector<std::int32_t> labelsInRun() const;
    bool drawn() const { return form_->choice().source == PartitionChoice::Drawn; }
    Choice choice() const;
    void setChoice(const Choice& choice);
    static Undoable<Choice>::Name change(const Choice& before, const Choice& now);

    PageContext& context_;
    ImagePanel& image_;
    std::shared_ptr<const OpenFile> file_;
    Partitioned made_;
    PartitionForm* form_;
    BinsPanel* panel_;
    PartitionForm::Fields initial_;  ///< before any file
    EdgeTool* edges_;
    PartitionMaker* maker_;
    bool quiet_ = false;           ///< changes come from the program
    bool byHand_ = false;          ///< the newest change came from the user
    bool expecting_ = false;       ///< bins are about to be restored
    bool waits_ = false;           ///< bins are made once the mask is known, or no frame could be read
    FileWatch labels_;             ///< the file of the labels in made()
    PassingError noBins_;          ///< why there are no bins
    QString source_;               ///< of the bins in the table
    std::vector<int> waitingOff_;  ///< labels to turn off once the restored bins are made
    std::optional<std::vector<int>> offWaits_;  ///< for the bins being made
    Choice proposed_;                           ///< for the file, before any edit
    std::unique_ptr<Undoable<Choice>> steps_;
};

}  // namespace ks::ui::xpcs
