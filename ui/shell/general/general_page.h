#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/run/analysis.h"
#include "ui/shell/analysis_page.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QTabBar;

namespace ks::ui {

class ResultView;
class SourceView;
class SweepPanel;
class WatchedInputs;

/// The page for analyses without a page of their own, generated from their descriptions: the analyses of one
/// group at the left, the kernel of the chosen variant next to the results of the ticked runs, time and rate
/// over size in the drawer.
class GeneralPage : public AnalysisPage {
    Q_OBJECT
  public:
    /// @param title of the group
    /// @param group ids of its analyses, at least one
    GeneralPage(std::shared_ptr<Desk> desk, Jobs& jobs, QString title, const QStringList& group);
    ~GeneralPage() override;

    QString id() const override { return QStringLiteral("group ") + title_; }
    QString manual() const override { return title_.toLower(); }
    bool needsFile() const override;
    QString title() const override { return title_; }
    int order() const override { return 80; }
    /// Any file, if the chosen analysis needs one. An optional one is taken only if the file contains nothing
    /// that other pages show, such as a PNG; other files are chosen in its field. The file that the page
    /// holds is taken again whatever is chosen.
    bool accepts(const OpenFile& file) const override;
    QStringList fileFilters() const override { return {}; }
    std::vector<Demo> demos() const override;
    QWidget* inputWidget() override { return inputs_; }
    void setFile(std::shared_ptr<const OpenFile> file) override;
    void closeFile() override;
    QString missing() const override;
    void fill(Request& request) const override;
    InputState inputState() const override;
    void setRuns(const std::vector<RunRow>& runs) override;
    void setOutdated(const QStringList& labels) override;
    void runChanged(const RunRow& row) override;
    std::vector<NamedPlot> plots() const override;
    std::vector<PicturePlace> pictures() const override;
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;

    QListWidget& list() { return *list_; }
    SourceView& source() { return *source_; }
    ResultView& result() { return *result_; }
    SweepPanel& sweep() { return *sweep_; }
    /// Names of the kernel files that can be read, the chosen variant's first.
    QStringList sources() const;

  private:
    void setVariant(const Variant* next);
    QWidget* makeList();
    QWidget* makeSource();
    void showAnalysis();
    void showInputs();
    /// Placeholder of the first input's field: what is used if it is empty.
    QString placeholder(const InputSpec& input) const;
    void showSource();
    /// Role of the open file, of which the run has read former contents; nothing: it has not.
    std::optional<std::string> roleOfFormerContents(const Run& run) const;
    /// Data of the ticked runs if they differ from the open file or from run to run.
    QStringList contentsTexts(std::span<const RunRow> shown) const;
    /// Labels in which the next run would differ from a shown one; none of former contents of its file.
    QStringList labelsOf(const RunRow& row) const;
    /// @param most runs that are named of those with the same fault
    QString noteOf(std::span<const RunRow> shown, qsizetype most) const;
    void showNote();
    /// Files that the next run reads are not measured.
    void showUnmeasured(const Request& next);
    /// Opens a further file in its own tab, or raises its tab.
    void openSource(const QString& file);
    /// Empty: the text is not known.
    QString textOf(const QString& file) const;
    /// The same, behind the text that the host inserted in the newest ticked run of the variant.
    QString asCompiled(const QString& file) const;
    const AnalysisInfo& infoOf(const QString& id) const {
        return desk_->registry()->analysis(id.toStdString()).info();
    }
    const Analysis& chosen() const { return desk_->registry()->analysis(analysis().toStdString()); }

    std::shared_ptr<Desk> desk_;
    QString title_;
    std::shared_ptr<const OpenFile> file_;
    bool awaitsFile_ = false;              ///< it held one in the session that is being restored
    std::vector<RunRow> runs_;             ///< ticked, newest first
    std::map<int, QStringList> outdated_;  ///< what differs in the next run, of the shown runs, by number
    std::optional<Variant> variant_;
    QListWidget* list_;
    QLabel *description_, *story_;
    QTabBar* files_;
    SourceView* source_;
    ResultView* result_;
    SweepPanel* sweep_;
    QWidget* centre_;
    QWidget* inputs_;                                              ///< a form for the files that it reads
    std::map<std::string, std::map<std::string, QString>> given_;  ///< by analysis and role
    std::map<std::string, QLineEdit*> fields_;                     ///< by role
    WatchedInputs* watched_;                                       ///< those in the fields
};

/// Groups of the analyses that no page of `have` covers, in the order of the registry; each analysis without
/// a group forms its own.
std::vector<std::unique_ptr<Page>> generalPages(const PageContext& context, const QStringList& have);

}  // namespace ks::ui
