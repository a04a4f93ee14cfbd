#include "ui/tools/tool_page.h"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <utility>

#include "core/input/input_files.h"
#include "ui/base/form_parts.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/tools/tool_form.h"

namespace ks::ui {
namespace {

constexpr int usualFormWidth = 330;  ///< initially
constexpr int drawAfterMs = 250;

}  // namespace

const QString ToolPage::reportFolder = QStringLiteral("report");

ToolPage::ToolPage(const PageContext& context)
    : jobs_(context.jobs), desk_(context.desk), tabs_(new QTabWidget) {
    later_.setSingleShot(true);
    later_.setInterval(drawAfterMs);
    connect(&later_, &QTimer::timeout, this, &ToolPage::refresh);
    connect(&refusal_, &PassingError::failed, this, &Page::failed);
    connect(&refusal_, &PassingError::mended, this, &Page::mended);
}

ToolPage::~ToolPage() {
    disconnectParts();
}

void ToolPage::build(ToolForm& form, Parts parts) {
    settings_ = &form;
    rows_ = std::move(parts.tabs);
    side_ = scrolled(&form, parts.formName);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(parts.tabsName);
    for (const ToolTab& tab : rows_)
        tabs_->tabBar()->setTabWhatsThis(tabs_->addTab(tab.widget, tab.title), tab.about);
    auto* centre = new QSplitter;
    centre->addWidget(side_);
    centre->addWidget(boxed(inRows({parts.head, {tabs_, 1}}, 0)));
    centre->setChildrenCollapsible(false);
    centre->setStretchFactor(0, 0);
    centre->setStretchFactor(1, 1);
    centre->setSizes({usualFormWidth, 3 * usualFormWidth});
    setBody(centre, std::move(parts.drawer), 100, 210);
    drawer().installEventFilter(this);
    connect(desk_.get(), &Desk::catalogueChanged, &form,
            [this] { settings_->setCatalogue(desk_->catalogue()); });
    connect(&form, &ToolForm::changed, this, [this] {
        refusal_.review();
        emit inputsChanged();
    });
    connect(&form, &ToolForm::runWanted, this, &Page::start);
    connect(&form, &ToolForm::cancelWanted, this, &Page::cancelWanted);
}

void ToolPage::describe(const QString& purpose) {
    setWhatsThis(purpose);
    setTourWords(
        {tr("The measurements"), tr("%1 The form at the left chooses what is measured.").arg(purpose)});
}

QAction* ToolPage::makeAction(const QString& name, const QString& text, const QString& tip,
                              std::function<void()> act) {
    auto* made = new QAction(text, this);
    made->setObjectName(name);
    made->setToolTip(tip);
    made->setStatusTip(tip);
    connect(made, &QAction::triggered, this, std::move(act));
    actions_ << made;
    return made;
}

void ToolPage::addButtons(QLayout& bar, const QList<QAction*>& actions) {
    for (QAction* action : actions) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        bar.addWidget(button);
    }
}

void ToolPage::refuse(const Error& error) {
    refusal_.show(error, [this, form = settings_->keep()] { return settings_->keep() == form; });
}

void ToolPage::refreshSoon() {
    if (!later_.isActive()) later_.start();
}

QString ToolPage::missing() const {
    return settings_->canRun() ? settings_->missing() : Page::missing();
}

// Picture only shows the plots alone.
bool ToolPage::eventFilter(QObject* object, QEvent* event) {
    if (object == &drawer() &&
        (event->type() == QEvent::HideToParent || event->type() == QEvent::ShowToParent))
        side_->setVisible(!drawer().isHidden());
    return Page::eventFilter(object, event);
}

std::vector<NamedPlot> ToolPage::plots() const {
    std::vector<NamedPlot> all;
    for (const ToolTab& tab : rows_)
        for (const NamedPlot& plot : tab.plots)
            all.push_back(
                {plot.title, plot.plot, leafOf() + QLatin1Char('_') + plot.leaf, [] { return QString(); }});
    return all;
}

std::vector<PicturePlace> ToolPage::pictures() const {
    const QRectF all(tabs_->rect());
    return {placeIn(*this, *tabs_, {all, all})};
}

std::optional<PageState> ToolPage::state(Scope scope) const {
    if (scope != Scope::settings && scope != Scope::session) return std::nullopt;
    PageState state;
    state.values["plan"] = settings_->keep();
    if (scope == Scope::settings) state.values["tab"] = tabs_->currentIndex();
    return state;
}

void ToolPage::setState(const PageState& state, Scope scope) {
    if (scope == Scope::settings) tabs_->setCurrentIndex(jsonInteger(state.values, "tab"));
    if (scope == Scope::settings || scope == Scope::session)
        settings_->bringBack(jsonPart(state.values, "plan"));
}

bool ToolPage::saveReportAs(const QString& title, const QString& proposal, const QString& filter,
                            const std::function<void(const QString& path)>& save) {
    const QString path = askSavePath(this, title, proposal, filter);
    if (path.isEmpty()) return false;
    rememberSaved(this, reportFolder, path);
    try {
        io::require_not_read("saving", path.toStdString(), filesRead(this));
        save(path);
        reportSaveSucceeded(this);
        reportSaved(this, tr("Saved %1").arg(path));
    } catch (const Error& error) {
        reportSaveFailed(this, error);
        emit failed(error);
    }
    return true;
}

QString ToolPage::folderOfReports() const {
    return QFileInfo(savePath(this, reportFolder, QStringLiteral("x"))).path();
}

}  // namespace ks::ui
