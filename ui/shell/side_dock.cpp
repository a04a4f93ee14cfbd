#include "ui/shell/side_dock.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <utility>

#include "ui/base/count_text.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/parameter_form.h"
#include "ui/files/data_panel.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/page.h"
#include "ui/shell/request_form.h"

namespace ks::ui {
namespace {

enum SideTab { dataTab, setUpTab, kernelTab };

QWidget* form(std::initializer_list<Cell> cells) {
    return boxed(inRows(cells, 16, {6, 8, 6, 8}));
}

QWidget* titled(const QString& title, const QString& what, QWidget* content) {
    return boxed(inRows({heading(title, what), content}, 8));
}

/// "500 frames, 201 × 241 u8, 24 MB"; name and size of a file without frames.
QString summaryOf(const OpenFile& file) {
    if (!file.frames) {
        const QFileInfo info(file.path);
        return SideDock::tr("%1, %2").arg(info.fileName(),
                                          formatBytes(static_cast<std::uint64_t>(info.size())));
    }
    const FrameSource& frames = *file.frames;
    const QString stack =
        SideDock::tr("%1, %2 \u00d7 %3 %4, %5")
            .arg(counted(frames.frames(), SideDock::tr("1 frame"), SideDock::tr("%1 frames")))
            .arg(frames.height())
            .arg(frames.width())
            .arg(QString::fromLatin1(name_of(frames.type())), formatBytes(frames.bytes()));
    return file.isSeries ? SideDock::tr("%1: %2").arg(file.title, stack) : stack;
}

}  // namespace

SideDock::SideDock(RequestForm& request, const std::vector<Page*>& pages, QWidget* parent)
    : QDockWidget(tr("Data and set-up"), parent),
      data_(new DataPanel),
      summary_(new QLabel(tr("No data"))),
      inputs_(new QWidget),
      side_(new QTabWidget),
      pages_(pages) {
    summary_->setAccessibleName(tr("Open data"));
    summary_->setWordWrap(true);
    summary_->setWhatsThis(tr("The open file: type of its frames or tables"));
    data_->addHeader(summary_);
    for (Page* page : pages_)
        if (QWidget* widget = page->dataWidget()) data_->addPageWidget(widget);
    side_->setObjectName(QStringLiteral("side"));
    side_->setDocumentMode(true);
    side_->setAccessibleName(tr("Data and set-up"));
    side_->addTab(data_, tr("Data"));
    side_->addTab(scrolled(makeSetUp(request), tr("Set-up")), tr("Set-up"));
    side_->addTab(scrolled(makeKernel(request), tr("Kernel")), tr("Kernel"));
    side_->tabBar()->setTabWhatsThis(
        dataTab, tr("Contents of the open file, its geometry, and the data derived from it"));
    side_->tabBar()->setTabWhatsThis(setUpTab, tr("The inputs and parameters of the next run"));
    side_->tabBar()->setTabWhatsThis(kernelTab,
                                     tr("The variants of the kernel, and the device that they run on"));
    side_->setCurrentIndex(setUpTab);
    setObjectName(QStringLiteral("sideDock"));
    setAccessibleName(tr("Data and set-up"));
    setFeatures(QDockWidget::DockWidgetClosable);
    setTitleBarWidget(new QWidget);  // its tabs are self-explanatory
    setWidget(side_);
}

QWidget* SideDock::makeSetUp(RequestForm& request) {
    // Not a stack, which would take the height of its tallest page for all pages.
    auto* inputRows = new QVBoxLayout(inputs_);
    inputRows->setContentsMargins(0, 0, 0, 0);
    for (Page* page : pages_)
        if (QWidget* widget = page->inputWidget()) inputRows->addWidget(widget);
    return form({inputs_,
                 titled(tr("Parameters"), tr("Settings of the next run, in addition to its inputs"),
                        &request.parameters()),
                 Cell::space()});
}

QWidget* SideDock::makeKernel(RequestForm& request) {
    auto* source = new QPushButton(tr("Show source"));
    source->setToolTip(tr("Show source, differences and build logs of the chosen variant"));
    connect(source, &QPushButton::clicked, this, &SideDock::sourceWanted);
    auto* edit = new QPushButton(tr("Edit a copy"));
    edit->setToolTip(tr("Copy the kernel of the chosen variant and edit the copy"));
    connect(edit, &QPushButton::clicked, this, &SideDock::copyWanted);
    return form({titled(tr("Variant"),
                        tr("The kernel that does the computation: every variant computes the same result in "
                           "a different way"),
                        &request.variants()),
                 inColumns({source, edit}),
                 titled(tr("Device"), tr("Device that runs the kernels"), &request.deviceText()),
                 Cell::space()});
}

void SideDock::setFile(const OpenFile* file) {
    if (!file) {
        data_->clear();
        summary_->clear();
        return summary_->setToolTip({});
    }
    data_->setFile(*file);
    summary_->setText(summaryOf(*file));
    summary_->setToolTip(file->frames ? QString::fromStdString(file->frames->name()) : file->name);
}

void SideDock::setPage(Page& shown) {
    for (Page* one : pages_)
        if (QWidget* widget = one->inputWidget()) widget->setVisible(one == &shown);
    data_->showPageWidget(shown.dataWidget());
    inputs_->setVisible(shown.inputWidget() != nullptr);
    const bool runs = !shown.analysis().isEmpty();
    if (!runs && !tab_) tab_ = side_->currentIndex();
    for (const int tab : {setUpTab, kernelTab}) side_->setTabVisible(tab, runs);
    if (runs && tab_) side_->setCurrentIndex(*std::exchange(tab_, std::nullopt));
    place(shown);
}

void SideDock::place(const Page& shown) {
    if (shown.startsItself()) {
        isAway_ = wanted();
        hide();
    } else if (std::exchange(isAway_, false)) {
        show();
    }
}

int SideDock::tab() const {
    return tab_.value_or(side_->currentIndex());
}

void SideDock::setTab(int tab) {
    side_->setCurrentIndex(tab);
}

}  // namespace ks::ui
