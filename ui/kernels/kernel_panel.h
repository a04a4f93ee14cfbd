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

/// The kernels of one analysis on one device: source, difference of two, and of the newest run of the chosen
/// variant what its compiler said and what its kernels take; and the kernels of the user's own, to be edited.
/// One that is opened there is the chosen variant. For pages and windows that hold it.
class KernelPanel : public QWidget {
    Q_OBJECT
  public:
    enum class Tab { source, difference, buildLog, resources, assembly, edit, printed };

    explicit KernelPanel(QWidget* parent = nullptr);

    /// What the worker told: devices, variants, kernel files.
    void setCatalogue(const wire::Catalogue& catalogue);
    /// @param device position in the catalogue; nothing: none is known
    void setAnalysis(const QString& analysis, std::optional<std::size_t> device);
    const QString& analysis() const { return analysis_; }
    /// The chosen one; false where the analysis has none of this id.
    bool setVariant(const QString& id);
    QString variant() const;
    /// All of the window, newest first.
    void setRuns(const std::vector<RunRow>& runs);
    void showTab(Tab tab);
    /// Copies the chosen variant under a name that is not taken, and shows the copy in the editor.
    void editCopy();
    /// Goes to a line of the source. False where the chosen variant has no such line.
    bool showPlace(const SourcePlace& place);

    QComboBox& variants() { return *variants_; }
    QComboBox& others() { return *others_; }
    QTabWidget& tabs() { return *tabs_; }
    ResolvedView& source() { return *source_; }
    DifferenceView& difference() { return *difference_; }
    BuildLogView& buildLog() { return *buildLog_; }
    ResourcesView& resources() { return *resources_; }
    AssemblyView& assembly() { return *assembly_; }
    /// What the kernels of the newest run printed; its tab is there where they did.
    QPlainTextEdit& printed() { return *printed_; }
    UserKernels& userKernels() { return *userKernels_; }

  signals:
    void variantChanged(const QString& id);

  private:
    QWidget* makeSource();
    QWidget* makeDifference();
    void fillVariants();
    void showVariant();
    /// The variant's base, else the baseline, where no hand chose another one.
    void chooseOther();
    void showDifference();
    /// Null: there is none.
    const RunRow* newestRun(const QString& variant) const;
    void showRun();
    void showPrinted(const Printed& printed);
    /// What the compiler said of a kernel of the user's own that it refused.
    void showFailedBuild();
    void showWhere();
    const Variant* find(const QString& id) const;
    ResolvedSource resolved(const Variant& variant) const;
    std::optional<SourcePlace> placeOf(const Run& run, const BuildLog& build,
                                       const CompilerMessage& message) const;
    const DeviceInfo* device() const;

    wire::Catalogue catalogue_;
    QString analysis_;
    QString awaited_;  ///< id of the own kernel that was opened, and is to be chosen once it is known
    std::optional<std::size_t> device_;
    bool otherByHand_ = false;  ///< the variant to compare with
    std::vector<Variant> known_;
    std::optional<RunRow> run_;  ///< newest of the chosen variant
    struct FailedBuild {
        QString variant;
        std::string text;
        Error error;
        std::shared_ptr<const Run> before;  ///< the variant's newest run then; null: there was none
    };
    std::optional<FailedBuild> failed_;  ///< the newest
    std::vector<RunRow> runs_;
    QComboBox *variants_, *others_;
    QLabel *story_, *where_, *otherSource_;
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
