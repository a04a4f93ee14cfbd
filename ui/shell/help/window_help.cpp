#include "ui/shell/help/window_help.h"

#include <QAction>
#include <QSettings>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>

#include "ui/image/mask/mask_bar.h"
#include "ui/image/view/panned_canvas.h"
#include "ui/shell/file_session.h"
#include "ui/shell/help/manual_pages.h"
#include "ui/shell/help/manual_window.h"
#include "ui/shell/help/tour.h"
#include "ui/shell/help/whats_this.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings/settings_dialog.h"

namespace ks::ui {
namespace {

constexpr int tourAfterMs = 500;

QRect placeOf(const QWidget* part, const QWidget& window) {
    if (!part || !part->isVisible()) return {};
    return {part->mapTo(&window, QPoint()), part->size()};
}

QRect pictureOf(const MainWindow& window) {
    const Page* page = window.page();
    if (!page) return {};
    const std::vector<PicturePlace> pictures = page->pictures();
    if (pictures.empty()) return placeOf(page, window);
    return pictures.front().viewport.toAlignedRect().translated(page->mapTo(&window, QPoint()));
}

/// The page's first picture that takes keys; null: it has none.
QWidget* canvasOf(const MainWindow& window) {
    if (!window.page()) return nullptr;
    for (PannedCanvas* one : window.page()->findChildren<PannedCanvas*>())
        if (one->isVisible() && one->isEnabled() && one->focusPolicy() != Qt::NoFocus) return one;
    return nullptr;
}

QRect toolsOf(const MainWindow& window) {
    const Page* page = window.page();
    return placeOf(page ? page->findChild<MaskBar*>() : nullptr, window);
}

QRect buttonOf(const MainWindow& window, const char* name) {
    for (const QToolButton* one : window.menuWidget()->findChildren<QToolButton*>())
        if (one->defaultAction() == window.action(QLatin1String(name))) return placeOf(one, window);
    return {};
}

std::vector<TourStep> stepsOf(MainWindow& window) {
    const auto words = [](const char* title, const char* text) {
        return [made = TourWords{WindowHelp::tr(title), WindowHelp::tr(text)}] { return made; };
    };
    return {
        {[&window] {
             const Page* const page = window.page();
             const Page::Words ofPage = page ? page->tourWords() : Page::Words();
             return TourWords{ofPage.title, ofPage.text};
         },
         [&window] { return pictureOf(window); }},
        {words(
             "The tools",
             "Pages with frames have tools at the left edge of the picture: they mask pixels and draw bins. "
             "Esc leaves a tool, Ctrl+Z undoes a step."),
         [&window] { return toolsOf(window); }},
        {words("Data, set-up, kernel",
               "Contents of the file, geometry and parameters of the analysis, and the variants of its "
               "kernels. Ctrl+B folds this panel away."),
         [&window] { return placeOf(window.findChild<QTabWidget*>(QStringLiteral("side")), window); }},
        {words("Run",
               "F5 runs the chosen variant on the chosen device. Each run gets its own row. If another run "
               "is in progress, the new run waits for it to finish."),
         [&window] { return buttonOf(window, "run"); }},
        {words("Plots and runs",
               "Curves, tables, and all runs: tick two to compare them. Ctrl+J folds the drawer, Ctrl+E "
               "exports a plot for publication. F1 opens the manual."),
         [&window] { return window.page() ? placeOf(&window.page()->drawer(), window) : QRect(); }}};
}

}  // namespace

WindowHelp::WindowHelp(MainWindow& window) : QObject(&window), window_(window) {
    new WhatsThisAnswers(this);
    WhatsThisAnswers::fillActions(window);
}

WindowHelp::~WindowHelp() {
    delete manual_;
    delete settings_;
    delete tour_;
}

ManualWindow* WindowHelp::manual() const {
    return manual_;
}

Tour* WindowHelp::tour() const {
    return tour_;
}

SettingsDialog* WindowHelp::settings() const {
    return settings_;
}

void WindowHelp::showManual() {
    showManual(manualPageOf(window_.page() ? window_.page()->manual() : QString()));
}

// Without a parent, so that it may go behind the window.
void WindowHelp::showManual(const QString& page) {
    if (!manual_) {
        manual_ = new ManualWindow;
        manual_->setAttribute(Qt::WA_QuitOnClose, false);  // the program ends with its window
    }
    manual_->showPage(page);
    manual_->show();
    manual_->raise();
    manual_->activateWindow();
}

void WindowHelp::showTour() {
    if (tour_) tour_->end();
    tour_ = new Tour(window_, stepsOf(window_), [this] { return canvasOf(window_); });
}

void WindowHelp::offerTour() {
    QSettings& kept = window_.settings();
    if (kept.value(tourSeenKey, false).toBool()) return;
    kept.setValue(tourSeenKey, true);
    showTour();
}

void WindowHelp::offerTourSoon(bool fileComes) {
    const auto soon = [this] { QTimer::singleShot(tourAfterMs, this, &WindowHelp::offerTour); };
    if (!fileComes) return soon();
    const FileSession& files = window_.files();
    const auto once = static_cast<Qt::ConnectionType>(Qt::AutoConnection | Qt::SingleShotConnection);
    connect(&files, &FileSession::opened, this, soon, once);
    connect(&files, &FileSession::runOpened, this, soon, once);
    connect(&files, &FileSession::notOpened, this, soon, once);
}

void WindowHelp::showSettings() {
    if (!settings_) settings_ = new SettingsDialog(window_);
    settings_->show();
    settings_->raise();
    settings_->activateWindow();
}

}  // namespace ks::ui
