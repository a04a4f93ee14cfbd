#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/kernels/resolved_source.h"
#include "core/wire/wire.h"
#include "ui/runs/run_table_model.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QTabWidget;

namespace ks::ui {

class AssemblyView;
class BuildLogView;
class DifferenceView;
class ResolvedView;
class ResourcesView;
class UserKernels;

/// The kernels of one analysis on one device: source, difference between two, and for the newest run of the
/// chosen variant the compiler messages and resource usage; also the user's kernels, for editing. A kernel
/// opened there becomes the chosen variant. Used by pages and windows.
class KernelPanel : public QWidget {
    Q_OBJECT
  public:
    enum class Tab { source, difference, buildLog, resources, assembly, edit, printed };

    explicit KernelPanel(QWidget* parent = nullptr);

    /// The worker's report: devices, variants, kernel files.
    void setCatalogue(const wire::Catalogue& catalogue);
    /// @param device position in the catalogue; nothing: none is known
    void setAnalysis(const QString& analysis, std::optional<std::size_t> device);
    const QString& analysis() const { return analysis_; }
    /// Chooses a variant; false if the analysis has none with this id.
    bool setVariant(const QString& id);
    /// Chooses the kernel in the editor, now or once it is a variant; false if none is open.
    bool chooseEdited();
    QString variant() const;
    /// All runs of the window, newest first.
    void setRuns(const std::vector<RunRow>& runs);
    void showTab(Tab tab);
    /// Copies the chosen variant under an unused name, and opens the copy in the editor.
    void editCopy();
    /// Goes to a line of the source. False if the chosen variant has no such line.
    bool showPlace(const SourcePlace& place);

    QComboBox& variants() { return *variants_; }
    QComboBox& others() { return *others_; }
    QTabWidget& tabs() { return *tabs_; }
    ResolvedView& source() { return *source_; }
    DifferenceView& difference() { return *difference_; }
    BuildLogView& buildLog() { return *buildLog_; }
    ResourcesView& resources() { return *resources_; }
    AssemblyView& assembly() { return *assembly_; }
    /// printf output of the kernels of the newest run; its tab is shown only if there is any.
    QPlainTextEdit& printed() { return *printed_; }
    UserKernels& userKernels() { return *userKernels_; }

  signals:
    void variantChanged(const QString& id);

  private:
    QWidget* makeSource();
    QWidget* makeDifference();
    void fillVariants();
    void showVariant();
    /// Id of the edited kernel if it can be copied although it is not a variant yet; empty otherwise.
    QString copiedMeanwhile() const;
    /// Opens the chosen variant in the editor if it is a kernel of the user's.
    void openChosen();
    void showSource();
    /// The variant's base, otherwise the baseline, unless the user chose another one.
    void chooseOther();
    void showDifference();
    /// Why no variant is shown: it is not known yet, or cannot be run.
    QString whyNone() const;
    /// Null: there is none.
    const RunRow* newestRun(const QString& variant) const;
    void showRun();
    void showPrinted(const Printed& printed);
    /// Compiler messages for a user's kernel that it rejected.
    void showFailedBuild();
    void showWhere();
    const Variant* find(const QString& id) const;
    /// With the text that is not saved, if there is one.
    /// @param inserted text before it
    ResolvedSource resolved(const Variant& variant, const std::string& inserted = {}) const;
    /// The same, with the text that the host inserted in the newest run.
    ResolvedSource asCompiled(const Variant& variant) const;
    bool isUnsaved(const Variant* variant) const;
    /// The source to show is not the one in source_.
    bool isAnotherText() const;
    /// Source and difference, after an edit.
    void showTexts();
    std::optional<SourcePlace> placeOf(const Run& run, const BuildLog& build,
                                       const CompilerMessage& message) const;
    const DeviceInfo* device() const;

    wire::Catalogue catalogue_;
    QString analysis_;
    QString awaited_;  ///< id of the user's kernel that was opened, and is to be chosen once it is known
    std::optional<std::size_t> device_;
    bool otherByHand_ = false;  ///< the variant to compare with
    std::vector<Variant> known_;
    std::string shownSource_;    ///< text in source_
    std::optional<RunRow> run_;  ///< newest of the chosen variant
    struct FailedBuild {
        QString variant;
        std::string text;  ///< with the user's included files
        Error error;
        std::shared_ptr<const Run> before;  ///< the variant's newest run at that time; null: there was none
    };
    std::optional<FailedBuild> failed_;  ///< the newest
    std::vector<RunRow> runs_;
    QComboBox *variants_, *others_;
    QLabel *story_, *where_, *otherSource_, *unsaved_, *unsavedSides_;
    QTabWidget* tabs_;
    ResolvedView* source_;
    DifferenceView* difference_;
    BuildLogView* buildLog_;
    ResourcesView* resources_;
    AssemblyView* assembly_;
    QPlainTextEdit* printed_;
    UserKernels* userKernels_;
};

}  // namespace ks::ui
