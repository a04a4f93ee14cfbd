#include "ui/shell/analysis_page.h"

#include <QSplitter>
#include <algorithm>
#include <utility>

#include "core/record/run_table.h"
#include "ui/base/count_text.h"
#include "ui/base/history.h"
#include "ui/base/layouts.h"
#include "ui/base/tables/table_states.h"
#include "ui/files/file_filters.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/session_geometry.h"

namespace ks::ui {
namespace {

constexpr int besideWidth = 420;    ///< of a drawer at the right, at least
constexpr int lowDrawer = 200;      ///< that every window has room for
constexpr double tallShare = 0.42;  ///< most of the height that a drawer takes if it is taller than that

}  // namespace

PageContext::PageContext(Jobs& jobsOfWindow, std::shared_ptr<const Registry> registry)
    : jobs(jobsOfWindow),
      desk(std::make_shared<Desk>(registry ? std::move(registry) : std::make_shared<const Registry>())),
      mask(std::make_shared<SessionMask>(jobsOfWindow)),
      geometry(std::make_shared<SessionGeometry>()),
      history(std::make_shared<History>()) {
    mask->keepSteps(*history);
    geometry->keepSteps(*history);
}

void Page::choose(const QString& analysis) {
    const qsizetype wanted = analyses_.indexOf(analysis);
    if (wanted < 0 || wanted == current_) return;
    current_ = wanted;
    emit analysisChanged();
}

QStringList AnalysisPage::fileFilters() const {
    return frameFilters();
}

QString Page::missing() const {
    return tr("the %1 page has nothing to run").arg(title());
}

Page::Words Page::wordsOfPicture() {
    return {tr("The picture"),
            tr("Your data. Scroll to zoom, drag to move, double-click to show everything. The line at the "
               "bottom of the window shows the values under the cursor. F9 hides everything but the "
               "picture.")};
}

void Page::setDrawerOpen(bool open) {
    drawerOpen_ = open;
    if (drawer_) drawer_->setVisible(open);
    if (open) placeDrawer();
}

void Page::setBody(QWidget* picture, std::vector<DrawerPart> parts, double aspect, int drawerHeight) {
    aspect_ = aspect;
    drawerHeight_ = drawerHeight;
    drawer_ = new Drawer;
    drawer_->setParts(std::move(parts));
    body_ = new QSplitter(Qt::Vertical);
    body_->setObjectName(QStringLiteral("body"));
    body_->addWidget(picture);
    body_->addWidget(drawer_);
    body_->setStretchFactor(0, 1);
    body_->setStretchFactor(1, 0);
    body_->setChildrenCollapsible(false);
    connect(body_, &QSplitter::splitterMoved, this, &Page::drawerMoved);
    setLayout(inRows({body_}));
    new TableStates(this);
    placeDrawer();
}

void Page::placeDrawer() {
    if (!body_) return;
    const bool beside = width() - besideWidth >= aspect_ * height();
    const Qt::Orientation wanted = beside ? Qt::Horizontal : Qt::Vertical;
    const std::optional<double> share = shareOf(wanted);
    // A low drawer has the same size in every window: the picture gets all the extra space of a larger one.
    const bool tall = drawerHeight_ > lowDrawer;
    if (placed_ == wanted && !share && !beside && !tall) return;
    const int below =
        tall ? std::clamp(static_cast<int>(tallShare * height()), lowDrawer, drawerHeight_) : drawerHeight_;
    placed_ = wanted;
    if (body_->orientation() != wanted) body_->setOrientation(wanted);
    const int along = beside ? width() : height();
    int drawer = beside ? std::max(besideWidth, width() - static_cast<int>(aspect_ * height())) : below;
    if (share) drawer = qRound(*share * along);
    body_->setSizes({along - drawer, drawer});
}

void Page::swapPictureAndDrawer() {
    if (!body_) return;
    if (!drawerOpen_) setDrawerOpen(true);
    if (unswapped_) return setDrawerShares(*std::exchange(unswapped_, std::nullopt));
    const QList<int> sizes = body_->sizes();
    const int along = sizes[0] + sizes[1];
    if (along <= 0) return;
    DrawerShares swapped = shares_;
    const double share = static_cast<double>(sizes[0]) / along;
    (body_->orientation() == Qt::Horizontal ? swapped.beside : swapped.below) = share;
    const DrawerShares before = shares_;
    setDrawerShares(swapped);
    unswapped_ = before;
}

void Page::drawerMoved() {
    unswapped_.reset();
    const QList<int> sizes = body_->sizes();
    const int along = sizes[0] + sizes[1];
    if (along > 0) shareOf(body_->orientation()) = static_cast<double>(sizes[1]) / along;
}

void Page::setDrawerShares(const DrawerShares& shares) {
    unswapped_.reset();
    shares_ = shares;
    placed_.reset();
    placeDrawer();
}

void Page::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeDrawer();
}

void Page::setOpening(bool opening) {
    if (std::exchange(opening_, opening) != opening) emit openingChanged();
}

void Page::setLack(const QString& lack) {
    if (std::exchange(lack_, lack) != lack) emit openingChanged();
}

QString Page::openingText() {
    return tr("Opening the file \u2026");
}

void Page::disconnectParts(const QList<QObject*>& docked) {
    for (QObject* part : findChildren<QObject*>() + docked) part->disconnect(this);
}

QString AnalysisPage::outdatedText(const QStringList& labels, std::size_t named) {
    return labels.isEmpty() ? QString()
                            : tr("computed with other settings (%1)").arg(listedText(labels, named));
}

QString AnalysisPage::outdatedMark(const QStringList& labels) {
    return labels.isEmpty() ? QString() : tr("outdated (%1)").arg(labels.join(QStringLiteral(", ")));
}

QString AnalysisPage::runMark(bool wrong, const QStringList& outdated) {
    return runMark(wrong, outdatedMark(outdated));
}

QString AnalysisPage::runMark(bool wrong, const QString& note) {
    return joinedTexts({wrong ? tr("wrong") : QString(), note}, QStringLiteral(", "));
}

QString AnalysisPage::tableNote(const Run& run, int number, const QStringList& outdated) {
    return joinedTexts(
        {QString::fromStdString(io::table_note(run)), number == 0 ? tr("preview") : outdatedMark(outdated)});
}

}  // namespace ks::ui
