#include "ui/shell/general/general_page.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "core/io/files/data_name.h"
#include "core/kernels/build_source.h"
#include "ui/base/count_text.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/files/data_identity.h"
#include "ui/files/watched_inputs.h"
#include "ui/kernels/source_view.h"
#include "ui/runs/run_source.h"
#include "ui/shell/general/result_view.h"
#include "ui/shell/general/sweep_panel.h"

namespace ks::ui {
namespace {

constexpr int leastListWidth = 170;
constexpr qsizetype mostNamed = 2;  ///< runs in a note
constexpr int drawerHeight = 300;   ///< two diagrams and their legend

QString said(const std::string& one) {
    return QString::fromStdString(one);
}

/// The file whose text the variant compiles.
QString fileOf(const Variant& variant) {
    return said(variant.from_user() ? variant.user_file : variant.source_file);
}

/// Whether the first input of the analysis can be this file, opened as other data are.
bool takes(const AnalysisInfo& info, const OpenFile& file) {
    if (info.inputs.empty()) return false;
    return info.inputs.front().required ||
           (!file.frames && file.columns.empty() && file.tree.children.empty());
}

/// In PageState::files: the file of an analysis that is not the chosen one.
std::string roleOf(const std::string& analysis, const std::string& role) {
    return analysis + "/" + role;
}

/// A list that is never narrower than its titles.
class TitleList : public QListWidget {
  public:
    QSize sizeHint() const override { return {titleWidth(), QListWidget::sizeHint().height()}; }
    QSize minimumSizeHint() const override { return {titleWidth(), QListWidget::minimumSizeHint().height()}; }

  private:
    int titleWidth() const {
        return std::max(leastListWidth, sizeHintForColumn(0) + 2 * frameWidth() +
                                            style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    }
};

}  // namespace

GeneralPage::GeneralPage(std::shared_ptr<Desk> desk, Jobs& jobs, QString title, const QStringList& group)
    : AnalysisPage(group),
      desk_(std::move(desk)),
      title_(std::move(title)),
      list_(new TitleList),
      description_(new QLabel),
      story_(new QLabel),
      files_(new QTabBar),
      source_(new SourceView),
      result_(new ResultView),
      sweep_(new SweepPanel),
      centre_(new QWidget),
      inputs_(new QWidget),
      watched_(new WatchedInputs(jobs, this)) {
    setKeysWithoutWork({QStringLiteral("holds_file")});
    setTourWords(
        {tr("Kernel and result"),
         tr("Left, the text of the kernel that the chosen variant runs; right, the result of a run. The list "
            "at the left edge chooses what is computed. F9 hides everything but kernel and result.")});
    auto* both = new QSplitter;
    both->addWidget(makeSource());
    both->addWidget(result_);
    both->setChildrenCollapsible(false);
    both->setSizes({600, 500});
    both->setStretchFactor(0, 6);
    both->setStretchFactor(1, 5);
    centre_->setLayout(inColumns({makeList(), {both, 1}}, 0));
    setBody(centre_,
            {{tr("Sizes"), sweep_, false, tr("Times of the variants against the size of the problem")}}, 2.5,
            drawerHeight);

    connect(list_, &QListWidget::currentRowChanged, this,
            [this](int chosen) { choose(analyses().value(chosen)); });
    connect(this, &Page::analysisChanged, this, &GeneralPage::showAnalysis);
    connect(result_, &ResultView::pointHovered, this, &Page::cursorMoved);
    connect(result_, &ResultView::failed, this, &Page::failed);
    sweep_->follow(*desk_, *this);
    connect(desk_.get(), &Desk::nextChanged, this, &GeneralPage::showUnmeasured);
    connect(desk_.get(), &Desk::catalogueChanged, this, &GeneralPage::showSource);
    connect(desk_.get(), &Desk::offered, this,
            [this](const QString& of, const std::vector<Offer>&, const Variant* next) {
                if (of == analysis()) setVariant(next);
            });
    connect(watched_, &WatchedInputs::known, this, &Page::inputsChanged);
    connect(watched_, &WatchedInputs::changed, this, &AnalysisPage::inputChangedOnDisk);
    connect(source_, &SourceView::includeClicked, this, &GeneralPage::openSource);
    connect(files_, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab < 0) return;
        const QString file = files_->tabData(tab).toString();
        source_->setSource(file, asCompiled(file));
    });
    showAnalysis();
}

GeneralPage::~GeneralPage() {
    disconnectParts({inputs_});
}

QWidget* GeneralPage::makeList() {
    for (const QString& id : analyses()) {
        const AnalysisInfo& info = desk_->registry()->analysis(id.toStdString()).info();
        auto* item = new QListWidgetItem(said(info.title), list_);
        item->setToolTip(said(info.description));
    }
    list_->setFrameShape(QFrame::NoFrame);
    list_->setAccessibleName(tr("Analyses of %1").arg(title_));
    list_->setWhatsThis(tr("The analyses of this group; the line below says what the chosen one computes."));
    list_->setCurrentRow(0);
    description_->setWordWrap(true);
    description_->setWhatsThis(tr("What the chosen analysis computes"));
    description_->setContentsMargins(8, 6, 8, 8);
    auto* side = new QWidget;
    QSizePolicy wrapped(QSizePolicy::Ignored, QSizePolicy::Preferred);
    wrapped.setHeightForWidth(true);
    description_->setSizePolicy(wrapped);
    side->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    side->setLayout(inRows({{list_, 1}, description_}, 0));
    return side;
}

QWidget* GeneralPage::makeSource() {
    files_->setDrawBase(false);
    files_->setExpanding(false);
    files_->setElideMode(Qt::ElideLeft);
    files_->setAccessibleName(tr("Kernel files"));
    files_->setWhatsThis(tr("The kernel files of the chosen variant."));
    story_->setTextFormat(Qt::RichText);
    story_->setWordWrap(true);
    story_->setContentsMargins(8, 6, 8, 4);
    auto* side = new QWidget;
    side->setLayout(inRows({story_, files_, {source_, 1}}, 0));
    return side;
}

bool GeneralPage::needsFile() const {
    return chosen().info().needs_input();
}

bool GeneralPage::accepts(const OpenFile& file) const {
    if (takes(chosen().info(), file)) return true;
    if (file_ ? !isSameData(*file_, file) : !awaitsFile_) return false;
    return std::ranges::any_of(analyses(), [&](const QString& id) { return takes(infoOf(id), file); });
}

std::vector<Demo> GeneralPage::demos() const {
    if (!chosen().has_generator()) return {};
    return {Demo{}};
}

void GeneralPage::showAnalysis() {
    list_->setCurrentRow(static_cast<int>(analyses().indexOf(analysis())));
    const AnalysisInfo& info = chosen().info();
    description_->setText(said(info.description));
    variant_.reset();
    if (chosen().has_benchmark()) sweep_->setAnalysis(chosen());
    sweep_->setEnabled(chosen().has_benchmark());
    sweep_->setFiles({});
    result_->setEmptyText(tr("Press Run (F5) to see the result here"));
    runs_.clear();
    result_->setRuns({});
    showNote();
    showInputs();
    showSource();
}

void GeneralPage::showInputs() {
    delete inputs_->layout();
    for (QWidget* one : inputs_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        one->hide();
        one->deleteLater();
    }
    fields_.clear();
    watched_->clear();
    const AnalysisInfo& info = chosen().info();
    auto* rows = new QFormLayout(inputs_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setRowWrapPolicy(QFormLayout::WrapAllRows);
    for (const InputSpec& input : info.inputs) {
        auto* field = new QLineEdit(given_[info.id][input.role]);
        field->setToolTip(said(input.help));
        if (&input == &info.inputs.front()) field->setPlaceholderText(placeholder(input));
        auto* browse = new QToolButton;
        browse->setText(QStringLiteral("\u2026"));
        browse->setToolTip(tr("Choose a file"));
        connect(field, &QLineEdit::textChanged, this,
                [this, id = info.id, role = input.role](const QString& to) {
                    given_[id][role] = to;
                    watched_->set(role, to);
                    emit inputsChanged();
                });
        connect(browse, &QToolButton::clicked, field, [this, field] {
            const QString path = QFileDialog::getOpenFileName(this, tr("Choose a file"));
            if (!path.isEmpty()) field->setText(path);
        });
        auto* both = inColumns({{field, 1}, browse});
        rows->addRow(said(input.label), both);
        fields_[input.role] = field;
        watched_->set(input.role, field->text());
    }
    inputs_->setVisible(!info.inputs.empty());
}

QString GeneralPage::placeholder(const InputSpec& input) const {
    if (file_) return tr("the open file, %1").arg(QFileInfo(file_->path).fileName());
    return input.required ? tr("the open file") : tr("no file");
}

void GeneralPage::setFile(std::shared_ptr<const OpenFile> file) {
    file_ = std::move(file);
    awaitsFile_ = false;
    const AnalysisInfo& info = chosen().info();
    if (!info.inputs.empty()) {
        const InputSpec& first = info.inputs.front();
        if (const auto field = fields_.find(first.role); field != fields_.end())
            field->second->setPlaceholderText(placeholder(first));
    }
    showNote();
    emit inputsChanged();
}

void GeneralPage::closeFile() {
    given_.clear();
    showInputs();
    setFile(nullptr);
}

QString GeneralPage::missing() const {
    const AnalysisInfo& info = chosen().info();
    for (const InputSpec& input : info.inputs) {
        if (!input.required) continue;
        const auto field = fields_.find(input.role);
        if (field != fields_.end() && !field->second->text().isEmpty()) continue;
        if (&input == &info.inputs.front() && file_) continue;
        return tr("%1: choose a file").arg(said(input.label));
    }
    return {};
}

void GeneralPage::fill(Request& request) const {
    const AnalysisInfo& info = chosen().info();
    for (const InputSpec& input : info.inputs) {
        const auto field = fields_.find(input.role);
        QString name = field == fields_.end() ? QString() : field->second->text();
        if (name.isEmpty() && &input == &info.inputs.front() && file_) name = file_->name;
        if (!name.isEmpty()) request.inputs[input.role] = {name.toStdString(), {}};
    }
}

AnalysisPage::InputState GeneralPage::inputState() const {
    return {false, watched_->files(), {}, watched_->gone()};
}

void GeneralPage::setVariant(const Variant* next) {
    const std::string text = next ? desk_->catalogue().text_of(*next) : std::string();
    const bool same = next ? variant_ && variant_->id == next->id && variant_->source == text : !variant_;
    if (same) return;
    variant_ = next ? std::optional(*next) : std::nullopt;
    if (variant_) variant_->source = text;
    showSource();
}

void GeneralPage::showUnmeasured(const Request& next) {
    if (next.analysis != chosen().info().id) return;
    QStringList files;
    for (const auto& [role, input] : next.inputs)
        if (!input.name.empty())
            files << QFileInfo(said(io::DataName::parse(input.name).file.string())).fileName();
    sweep_->setFiles(files.join(QStringLiteral(", ")));
}

QString GeneralPage::textOf(const QString& file) const {
    if (variant_ && file == fileOf(*variant_) && !variant_->source.empty()) return said(variant_->source);
    const std::map<std::string, std::string>& files = desk_->catalogue().kernel_files;
    const auto known = files.find(file.toStdString());
    return known == files.end() ? QString() : said(known->second);
}

QString GeneralPage::asCompiled(const QString& file) const {
    const QString text = textOf(file);
    if (!variant_) return text;
    const auto newest = std::ranges::find_if(
        runs_, [this](const RunRow& row) { return row.run->variant.id == variant_->id; });
    return newest == runs_.end() ? text : said(inserted_before(file.toStdString(), *newest->run)) + text;
}

QStringList GeneralPage::sources() const {
    QStringList all;
    for (int i = 0; i < files_->count(); ++i) all << files_->tabData(i).toString();
    return all;
}

void GeneralPage::showSource() {
    const QSignalBlocker quiet(files_);
    while (files_->count() > 0) files_->removeTab(0);
    source_->setSource({}, {});
    if (!variant_) {
        story_->setText(tr("Waiting for the kernels of the device"));
        return;
    }
    story_->setText(QStringLiteral("<b>%1</b> &nbsp; %2<br>%3")
                        .arg(said(variant_->id).toHtmlEscaped(), said(variant_->title).toHtmlEscaped(),
                             said(variant_->description).toHtmlEscaped()));
    if (variant_->on_host()) {
        source_->setSource({}, tr("// %1 runs on the host; its C++ source is in %2")
                                   .arg(said(variant_->id), said(variant_->source_file)));
        return;
    }
    QStringList files{fileOf(*variant_)};
    for (const std::string& one : variant_->shared_sources) files << said(one);
    for (const QString& file : files) {
        const int tab = files_->addTab(QFileInfo(file).fileName());
        files_->setTabData(tab, file);
        files_->setTabToolTip(tab, file);
    }
    source_->setSource(files.front(), asCompiled(files.front()));
}

void GeneralPage::openSource(const QString& file) {
    qsizetype tab = sources().indexOf(file);
    if (tab < 0) {
        if (textOf(file).isEmpty())
            return emit failed(
                Error(ErrorKind::input, "the text of this file is not available", file.toStdString()));
        tab = files_->addTab(QFileInfo(file).fileName());
        files_->setTabData(static_cast<int>(tab), file);
        files_->setTabToolTip(static_cast<int>(tab), file);
    }
    files_->setCurrentIndex(static_cast<int>(tab));
}

void GeneralPage::setOutdated(const QStringList& /*labels*/) {
    outdated_.clear();
    for (const RunRow& row : runs_)
        if (QStringList labels = differing(*row.run); !labels.isEmpty())
            outdated_[row.number] = std::move(labels);
    showNote();
}

void GeneralPage::setRuns(const std::vector<RunRow>& runs) {
    // The others are compared by setOutdated(), and keep their marks while the page is hidden.
    for (const RunRow& row : runs)
        if (std::ranges::find(runs_, row.number, &RunRow::number) == runs_.end())
            outdated_.insert_or_assign(row.number, differing(*row.run));
    runs_ = runs;
    watched_->look();  // a run has read them as they are now
    result_->setRuns(runs, &chosen());
    if (files_->currentIndex() >= 0) {
        const QString file = files_->tabData(files_->currentIndex()).toString();
        source_->setSource(file, asCompiled(file));
    }
    showNote();
}

std::optional<std::string> GeneralPage::roleOfFormerContents(const Run& run) const {
    const auto& inputs = run.request.inputs;
    const auto own = std::ranges::find_if(inputs, [this](const auto& input) {
        return file_ && isSameData(input.second.name, file_->name.toStdString());
    });
    if (own == inputs.end() || readContents(run, file_->record, file_->states)) return std::nullopt;
    return own->first;
}

QStringList GeneralPage::contentsTexts(std::span<const RunRow> shown) const {
    QStringList parts;
    for (const RunRow& row : shown) {
        if (const auto role = roleOfFormerContents(*row.run))
            parts << tr("run %1 of %2").arg(row.number).arg(sourceText(*row.run, *role, *file_, runs_));
        else if (!sameContents(*row.run, *runs_.front().run))
            parts << tr("run %1, computed from its files as they were at %2")
                         .arg(row.number)
                         .arg(madeAt(*row.run));
    }
    return parts;
}

QString GeneralPage::noteOf(std::span<const RunRow> shown, qsizetype most) const {
    QStringList outdated, wrong;
    for (const RunRow& row : shown) {
        if (const QStringList labels = labelsOf(row); !labels.isEmpty())
            outdated << tr("run %1 %2").arg(row.number).arg(outdatedText(labels));
        if (isWrong(row)) wrong << tr("run %1 is wrong").arg(row.number);
    }
    const auto listed = [most](const QStringList& texts) {
        return listedText(texts, static_cast<std::size_t>(most));
    };
    return capitalised(
        joinedTexts({listed(outdated), listed(contentsTexts(shown)), listed(wrong)}, QStringLiteral(", ")));
}

QStringList GeneralPage::labelsOf(const RunRow& row) const {
    const auto found = outdated_.find(row.number);
    return found == outdated_.end() || roleOfFormerContents(*row.run) ? QStringList() : found->second;
}

void GeneralPage::showNote() {
    std::map<int, QString> marks;
    for (const RunRow& row : runs_)
        if (const QString mark = outdatedMark(labelsOf(row)); !mark.isEmpty()) marks[row.number] = mark;
    result_->setMarks(marks);
    const std::span<const RunRow> all(runs_);
    const QString whole = noteOf(all, std::max<qsizetype>(std::ssize(all), 1)),
                  brief = noteOf(all, mostNamed);
    const QString ofNewest = noteOf(all.first(std::min<std::size_t>(all.size(), 1)), 1);
    result_->setNote(whole, ofNewest, brief == whole ? QString() : brief);
}

void GeneralPage::runChanged(const RunRow& row) {
    result_->setChecked(row);
    for (RunRow& shown : runs_)
        if (shown.number == row.number) shown.run = row.run;
    showNote();
}

std::vector<NamedPlot> GeneralPage::plots() const {
    std::vector<NamedPlot> all;
    for (const ResultView::Plot& one : result_->plots()) all.push_back({one.title, one.plot, analysis()});
    const auto made = [this] { return sweep_->made(); };
    all.push_back({tr("Time against size"), &sweep_->times(), analysis() + QStringLiteral("_times"), made});
    all.push_back({tr("Rate against size"), &sweep_->rates(), analysis() + QStringLiteral("_rates"), made});
    return all;
}

std::vector<PicturePlace> GeneralPage::pictures() const {
    const QRectF all = QRectF(centre_->rect());
    const QRectF shown = all.adjusted(list_->width(), 0, 0, 0);
    return {placeIn(*this, *centre_, {shown, shown})};
}

std::optional<PageState> GeneralPage::state(Scope scope) const {
    if (scope != Scope::settings && scope != Scope::session) return std::nullopt;
    PageState state;
    state.values["analysis"] = chosen().info().id;
    if (scope == Scope::settings) return state;
    if (const nlohmann::json sizes = sweep_->keep(); !sizes.empty()) state.values["sizes"] = sizes;
    if (file_ || awaitsFile_) state.values["holds_file"] = true;
    for (const auto& [id, given] : given_)
        for (const auto& [role, name] : given)
            if (!name.isEmpty())
                state.files[id == chosen().info().id ? role : roleOf(id, role)] = name.toStdString();
    return state;
}

void GeneralPage::setState(const PageState& state, Scope scope) {
    const QString kept = jsonText(state.values, "analysis");
    if (scope == Scope::settings) return choose(kept);
    if (scope != Scope::session) return;
    // Only a file that the page held while another one was open.
    if (state.values.empty()) return;
    sweep_->bringBack(jsonPart(state.values, "sizes"));
    if (!analyses().contains(kept)) return;
    awaitsFile_ = !file_ && jsonBoolean(state.values, "holds_file");
    for (const QString& id : analyses())
        for (const AnalysisInfo& info = infoOf(id); const InputSpec& input : info.inputs) {
            const auto file = state.files.find(id == kept ? input.role : roleOf(info.id, input.role));
            if (file != state.files.end()) given_[info.id][input.role] = said(file->second);
        }
    if (kept == analysis())
        showInputs();
    else
        choose(kept);
}

std::vector<std::unique_ptr<Page>> generalPages(const PageContext& context, const QStringList& have) {
    std::vector<std::pair<QString, QStringList>> groups;
    for (const Analysis& one : context.desk->registry()->analyses()) {
        const AnalysisInfo& info = one.info();
        if (have.contains(said(info.id))) continue;
        const QString title = info.group.empty() ? said(info.title) : said(info.group);
        auto group = std::ranges::find(groups, title, &std::pair<QString, QStringList>::first);
        if (group == groups.end()) group = groups.insert(groups.end(), {title, {}});
        group->second << said(info.id);
    }
    std::vector<std::unique_ptr<Page>> pages;
    pages.reserve(groups.size());
    for (const auto& [title, analyses] : groups)
        pages.push_back(std::make_unique<GeneralPage>(context.desk, context.jobs, title, analyses));
    return pages;
}

}  // namespace ks::ui
