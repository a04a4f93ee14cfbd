#include "ui/kernels/user_kernels.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QTextDocument>
#include <QUrl>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/io/files/atomic_file.h"
#include "core/run/user/shown_variant.h"
#include "core/run/user/text_defines.h"
#include "core/run/user/trusted_code.h"
#include "core/run/user/user_includes.h"
#include "core/run/user/user_variant.h"
#include "ui/base/elided_label.h"
#include "ui/base/input/input_rules.h"
#include "ui/base/layouts.h"
#include "ui/kernels/access/access_panel.h"
#include "ui/kernels/bars/find_bar.h"
#include "ui/kernels/bars/line_bar.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/kernel_head.h"
#include "ui/kernels/notice_label.h"
#include "ui/kernels/trial/trial_bar.h"
#include "ui/kernels/trial/trial_history.h"
#include "ui/kernels/trial/trial_view.h"
#include "ui/kernels/user_kernel_list.h"

namespace ks::ui {
namespace {

constexpr int listWidth = 190, headerMs = 250;

}  // namespace

UserKernels::UserKernels(QWidget* parent)
    : QWidget(parent),
      list_(new UserKernelList),
      notice_(named(new NoticeLabel, tr("Notice"))),
      unkept_(named(new NoticeLabel, tr("Texts that could not be kept"))),
      conflict_(new QWidget),
      question_(new ElidedLabel),
      bar_(new TrialBar),
      history_(new TrialHistory),
      head_(new KernelHead(bar_)),
      editor_(new KernelEditor),
      trial_(new TrialView),
      access_(new AccessPanel),
      unsaved_(*editor_) {
    build();
    connectParts();
    makeActions();
    showOpen();
}

UserKernels::~UserKernels() {
    editor_->disconnect(this);
    blockSignals(true);  // at exit the user was asked; nobody is left to be told
    keepDrafts();
}

void UserKernels::build() {
    notice_->setObjectName(QStringLiteral("notice"));
    unkept_->setObjectName(QStringLiteral("unkept"));
    for (NoticeLabel* label : {notice_, unkept_}) {
        label->setContentsMargins(8, 0, 8, 0);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->hide();
    }
    const auto answer = [this](const QString& text, bool take) {
        auto* button = new QPushButton(text);
        connect(button, &QPushButton::clicked, this, [this, take] {
            const QString theirs = outside_.value_or(file_.text());
            endConflict();
            notice_->hide();  // it may ask for this answer
            file_.take(theirs);
            // What is kept is not in the file, also where nothing was changed here.
            if (!take) return editor_->document()->setModified(editor_->toPlainText() != theirs);
            editor_->replaceText(theirs);
            setUnmodified();
        });
        return button;
    };
    conflict_->setLayout(inColumns(
        {{question_, 1}, answer(tr("Use the file's version"), true), answer(tr("Keep my version"), false)},
        {}, {8, 1, 8, 1}));
    conflict_->hide();
    for (QWidget* bar : {static_cast<QWidget*>(unkept_), conflict_}) {
        bar->setAutoFillBackground(true);
        bar->setBackgroundRole(QPalette::ToolTipBase);
    }
    // Always there, so that no line of the text moves when one of them comes or goes, unless it needs more
    // than a line. Each has a row: side by side they would leave each other a few words.
    auto* notices = boxed(inRows({conflict_, notice_, unkept_}, 0));
    notices->setMinimumHeight(conflict_->sizeHint().height());
    auto* find = new FindBar(*editor_);
    auto* line = new LineBar(*editor_);
    // The editor itself handles the shortcuts.
    const auto add = [this](const QString& text, const QList<QKeySequence>& keys, auto act) {
        auto* made = new QAction(text, this);
        made->setShortcuts(keys);
        made->setShortcutContext(Qt::WidgetShortcut);
        connect(made, &QAction::triggered, editor_, act);
        return made;
    };
    editActions_ << add(tr("&Undo"), {QKeySequence::Undo}, &QPlainTextEdit::undo)
                 << add(tr("&Redo"), {QKeySequence::Redo, KernelEditor::redoKey()}, &QPlainTextEdit::redo)
                 << find->findAction() << find->replaceAction() << line->action()
                 << add(tr("&Comment lines"), {QKeySequence(Qt::CTRL | Qt::Key_Slash)},
                        &KernelEditor::toggleComments);
    auto* side = new QSplitter(Qt::Vertical);
    side->setChildrenCollapsible(false);
    side->addWidget(list_);
    side->addWidget(history_);
    side->setStretchFactor(0, 2);
    side->setStretchFactor(1, 1);
    auto* both = new QSplitter;
    both->setChildrenCollapsible(false);
    both->addWidget(side);
    both->addWidget(boxed(inRows({head_, notices, {editor_, 1}, find, line, trial_, access_}, 0)));
    both->setStretchFactor(1, 1);
    both->setSizes({listWidth, 900});
    setLayout(inRows({both}));
}

void UserKernels::connectParts() {
    header_.setSingleShot(true);
    header_.setInterval(headerMs);
    connect(&header_, &QTimer::timeout, this, &UserKernels::readHeader);
    connect(&unsaved_, &UnsavedKernels::due, this, &UserKernels::keepDrafts);
    connect(&unsaved_, &UnsavedKernels::keepingChanged, this, [this](const QString& sentence) {
        unkept_->setWhole(sentence);
        unkept_->setVisible(!sentence.isEmpty());
        emit keepingChanged(sentence);
    });
    connect(&file_, &WatchedFile::changedOutside, this, &UserKernels::takeOutside);
    connect(&file_, &WatchedFile::unreadableOutside, this, [this](const Error& error) {
        note(tr("Another program changed %1, which cannot be shown now: %2. This is its earlier text.")
                 .arg(file_.file(), QString::fromStdString(error.message())));
    });
    connect(&file_, &WatchedFile::removedOutside, this, [this] {
        if (!unread_.isEmpty()) {
            readFile({});
            fillList();
            return showOpen();
        }
        endConflict();
        editor_->document()->setModified(true);
        unsaved_.edited(file_.file());
        note(tr("Another program removed the file; saving the text writes the file again."));
    });
    connect(editor_, &QPlainTextEdit::textChanged, &header_, qOverload<>(&QTimer::start));
    connect(editor_, &QPlainTextEdit::textChanged, this, &UserKernels::showAge);
    connect(editor_, &QPlainTextEdit::textChanged, this, &UserKernels::dropRefusal);
    connect(editor_, &QPlainTextEdit::textChanged, this, &UserKernels::showConflict);
    connect(editor_, &QPlainTextEdit::textChanged, this, &UserKernels::noteEqual);
    connect(editor_, &QPlainTextEdit::textChanged, this, [this] { unsaved_.edited(file_.file()); });
    connect(editor_, &QPlainTextEdit::modificationChanged, this, [this](bool modified) {
        // A text without a file is unsaved, however many steps are undone.
        if (!modified && file_.isGone()) return editor_->document()->setModified(true);
        unsaved_.edited(file_.file());
        fillList();
    });
    connect(editor_, &KernelEditor::saveWanted, this, &UserKernels::save);
    connect(head_, &KernelHead::edited, this, [this](const QString& name, const QString& value) {
        const QString before = editor_->toPlainText(),
                      after = QString::fromStdString(
                          with_define(before.toStdString(), name.toStdString(), value.toStdString()));
        if (after != before) editor_->replaceText(after);
    });
    const auto goTo = [this](int line) {
        editor_->goToLine(line);
        editor_->setFocus();
    };
    connect(trial_, &TrialView::lineWanted, this, goTo);
    connect(trial_, &TrialView::placeWanted, this, &UserKernels::placeWanted);
    connect(trial_, &TrialView::worstPlaceWanted, this, &UserKernels::worstPlaceWanted);
    connect(trial_, &TrialView::cancelWanted, this, &UserKernels::cancel);
    connect(list_, &UserKernelList::chosen, this, &UserKernels::openFile);
    connect(list_, &UserKernelList::copyWanted, this, &UserKernels::copyWanted);
    connect(list_, &UserKernelList::renameWanted, this, &UserKernels::askRename);
    connect(list_, &UserKernelList::removeWanted, this, &UserKernels::askRemove);
    connect(list_, &UserKernelList::openElsewhereWanted, this, [this] {
        if (save()) QDesktopServices::openUrl(QUrl::fromLocalFile(file_.file()));
    });
    connect(bar_, &TrialBar::runWanted, this, &UserKernels::run);
    connect(bar_, &TrialBar::checkWanted, this, &UserKernels::checkAccesses);
    connect(access_, &AccessPanel::lineWanted, this, goTo);
    connect(access_, &AccessPanel::placeWanted, this, &UserKernels::placeWanted);
    connect(access_, &AccessPanel::marked, editor_, &KernelEditor::setMessages);
    connect(access_, &AccessPanel::judged, this,
            [this](const AccessPlan& plan, const std::string& whole, const AccessResult& result) {
                const QString mark = QString::fromStdString(text_mark(whole));
                history_->take(plan.analysis, plan.variant, mark, result);
                if (!result.faults.isEmpty()) emit accessesWrong(plan.analysis, mark, result.faults);
                showAge();
            });
    connect(access_, &AccessPanel::runningChanged, this, &UserKernels::showRunning);
}

void UserKernels::makeActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, const QString& tip, auto act) {
        auto* made = new QAction(text, this);
        made->setShortcut(key);
        made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        made->setStatusTip(tip);
        connect(made, &QAction::triggered, this, act);
        addAction(made);
        kernelActions_ << made;
        return made;
    };
    // The keys work in the whole window, also where another text is in view.
    const auto ofText = [this](auto act) {
        return [this, act] {
            if (isInView()) (this->*act)();
        };
    };
    add(tr("&Save"), QKeySequence::Save, tr("Write the text to its file"), ofText(&UserKernels::save));
    QAction* const run = add(tr("Save and &run"), QKeySequence(Qt::Key_F7), bar_->runButton().toolTip(),
                             ofText(&UserKernels::run));
    QAction* const check = add(tr("Check &accesses"), QKeySequence(Qt::SHIFT | Qt::Key_F7),
                               bar_->checkButton().toolTip(), ofText(&UserKernels::checkAccesses));
    for (QAction* starts : {run, check}) holdForFields(*starts);
    add(tr("&Cancel"), QKeySequence(Qt::Key_Escape), tr("Cancel the current run or check"),
        &UserKernels::cancel);
}

template <class Do>
bool UserKernels::guardedBy(const Do& act) {
    try {
        act();
        return true;
    } catch (const Error& error) {
        tell(error);
        return false;
    }
}

void UserKernels::note(const QString& text) {
    notice_->setWhole(text);
    notice_->show();
    isRefusal_ = false;
}

void UserKernels::tell(const Error& error) {
    // The folder is the same for all kernels, and would take the place of the reason.
    QString said = QString::fromUtf8(error.what());
    if (const QString folder = list_->folder() + QLatin1Char('/') + analysis_ + QLatin1Char('/');
        said.startsWith(folder))
        said.remove(0, folder.size());
    note(said);
    isRefusal_ = true;
    emit failed(error);
}

void UserKernels::setDevice(const QString& device) {
    if (std::exchange(device_, device) != device) dropRefusal();
}

void UserKernels::dropRefusal() {
    if (std::exchange(isRefusal_, false)) notice_->hide();
}

std::string UserKernels::withIncludes(const std::string& file, const std::string& text) const {
    const std::filesystem::path folder = list_->folder().toStdString();
    std::set<std::filesystem::path> read;
    try {
        return with_own_includes(text, file, {folder, {folder / analysis_.toStdString(), folder}}, read);
    } catch (const Error& error) {
        return error.what();  // a text that cannot be run counts as another one as well
    }
}

std::string UserKernels::withIncludes(const QString& text) const {
    try {
        return withIncludes(file(), file_.bytes(text));
    } catch (const Error& error) {
        return error.what();
    }
}

std::string UserKernels::edited() const {
    const QString text = editor_->toPlainText();
    try {
        return file_.bytes(text);
    } catch (const Error&) {
        return text.toStdString();
    }
}

std::optional<std::string> UserKernels::unsavedText(const QString& file) const {
    if (file == file_.file())
        return editor_->document()->isModified()
                   ? std::optional(withIncludes(file.toStdString(), editor_->toPlainText().toStdString()))
                   : std::nullopt;
    const std::optional<KernelDrafts::Draft> unsaved = unsaved_.find(file);
    if (!unsaved) return std::nullopt;
    return withIncludes(file.toStdString(), unsaved->text.toStdString());
}

std::string UserKernels::triedText() const {
    return ran_ ? ran_->whole : withIncludes(editor_->toPlainText());
}

void UserKernels::lookAtIncludes() {
    const auto changed = [this](const Resolved& then) { return withIncludes(then.text) != then.whole; };
    ranIncludes_ = ran_ && changed(*ran_);
    const auto judged = judged_.find(file_.file());
    access_->setIncludesChanged(judged != judged_.end() && changed(judged->second));
    showAge();
}

void UserKernels::showAge() {
    const QString text = editor_->toPlainText();
    trial_->setOutdated(ran_ && (ranIncludes_ || text != ran_->text));
    access_->setText(edited());
    trial_->setAccesses(
        ran_ ? history_->accessesOf(analysis_, id(), QString::fromStdString(text_mark(ran_->whole)))
             : AccessResult());
}

void UserKernels::showFaults() {
    history_->faultsChanged();
    showAge();
}

void UserKernels::setFolder(const QString& folder) {
    keepDrafts();
    list_->setFolder(folder);
    readFile({});
    fillList();
    showOpen();
}

void UserKernels::setAnalysis(const QString& analysis, const std::vector<Variant>& variants,
                              const std::map<std::string, std::string>& kernelFiles) {
    head_->setVariants(variants, kernelFiles);
    kernelFiles_ = kernelFiles;
    std::vector<Variant> shipped = variants;
    std::erase_if(shipped, [](const Variant& one) { return one.from_user(); });
    list_->setAnalysis(analysis, std::move(shipped));
    const bool another = analysis != analysis_;
    if (another) {
        keepDrafts();
        openBefore_[analysis_] = file_.file();
        analysis_ = analysis;
        readFile({});
        showOpen();
    }
    fillList();
    readHeader();
    lookAtIncludes();
    const QString before = openBefore_[analysis_];
    if (another && (QFileInfo::exists(before) || unsaved_.find(before))) openFile(before);
}

void UserKernels::fillList() {
    list_->fill(file_.file(), unsaved_.files(analysis_, file_.file()));
    if (std::exchange(fault_, fault()) != fault_) emit faultChanged();
}

QString UserKernels::name() const {
    return QFileInfo(file_.file()).completeBaseName();
}

QString UserKernels::fault() const {
    return list_->faultOf(file_.file());
}

QString UserKernels::id() const {
    return file_.file().isEmpty() ? QString()
                                  : QString::fromLatin1(UserVariant::user_variant_prefix) + name();
}

bool UserKernels::open(const QString& name) {
    return openFile(list_->fileOf(name));
}

bool UserKernels::openFile(const QString& file) {
    if (file.isEmpty()) return false;
    if (file == file_.file()) return true;
    keepDrafts();
    const std::optional<KernelDrafts::Draft> unsaved = unsaved_.find(file);
    if (!unsaved && !isInFolder(file)) {
        tell(Error(ErrorKind::input, "the file no longer exists", file.toStdString()));
        fillList();
        return false;
    }
    readFile(file);
    // A text that is not saved takes precedence.
    if (unsaved && (!unread_.isEmpty() || !QFileInfo::exists(file))) file_.openGone(file, unsaved->before);
    const QString why = unsaved ? std::exchange(unread_, {}) : QString();
    showOpen();
    if (!why.isEmpty() && isInFolder(file))
        note(tr("%1. The text in the editor was not saved; saving it replaces the file.").arg(why));
    fillList();
    emit opened(id());
    return true;
}

void UserKernels::readFile(const QString& file) {
    unread_.clear();
    try {
        file_.open(file);
    } catch (const Error& error) {
        const QFileInfo named(file);
        std::error_code problem;
        (void)std::filesystem::status(file.toStdString(), problem);
        const bool loops = problem == std::errc::too_many_symbolic_link_levels;
        unread_ = named.isSymLink() && !named.exists() && !loops
                      ? tr("%1: it is a link to %2, which does not exist").arg(file, named.symLinkTarget())
                      : QString::fromUtf8(error.what());
        file_.openUnread(file);
    }
}

bool UserKernels::hasText() {
    if (!unread_.isEmpty()) note(unread_);
    return !file_.file().isEmpty() && unread_.isEmpty();
}

void UserKernels::showOpen() {
    const bool any = !file_.file().isEmpty() && unread_.isEmpty();
    ran_.reset();
    ranIncludes_ = false;
    head_->clear();
    endConflict();
    notice_->hide();
    const std::optional<KernelDrafts::Draft> unsaved = unsaved_.edit(file_.file());
    editor_->showDocument(unsaved_.of(file_.file(), file_.text()));
    unsaved_.restorePlace(file_.file());
    unsaved_.dropMissing(file_.file());
    editor_->setMessages({});
    editor_->setEnabled(any);
    bar_->setUsable(any);
    editor_->setPlaceholderText(any ? QString()
                                : unread_.isEmpty()
                                    ? tr("Choose a kernel on the left, or copy a variant and edit the copy.")
                                    : unread_);
    trial_->setHint(any ? tr("F7 saves, builds and runs this kernel, checks its result, and "
                             "times it against its base.")
                        : QString());
    if (unsaved)
        resume(unsaved->before);
    else
        takeDraft();
    readHeader();
    access_->showFor(file(), edited());
    lookAtIncludes();
    showRunning();
    history_->showOf(analysis_, id());
}

void UserKernels::setDraftsFolder(const QString& folder) {
    unsaved_.setFolder(folder);
    takeDraft();
    keepDrafts();
    fillList();
}

void UserKernels::keepDrafts() {
    unsaved_.keepPlace(analysis_, file_.file(), file_.text());
    unsaved_.keep();
}

std::vector<KernelDrafts::Draft> UserKernels::keepTexts() {
    keepDrafts();
    return unsaved_.unkept();
}

void UserKernels::setUnmodified() {
    editor_->document()->setModified(false);
    unsaved_.drop(file_.file());
    keepDrafts();
}

void UserKernels::noteEqual() {
    if (file_.file().isEmpty() || file_.isGone() || outside_ || !unread_.isEmpty()) return;
    if (editor_->document()->isModified() && editor_->toPlainText() == file_.text()) setUnmodified();
}

void UserKernels::showConflict() {
    if (!outside_) return;
    // Undo may lead back to the text that was read.
    if (editor_->toPlainText() == file_.text())
        question_->setWhole(tr("Another program changed the file."));
    else
        question_->setWhole(tr("Another program changed the file, and you changed the text here."),
                            {tr("Another program changed the file, too.")});
    conflict_->show();
}

void UserKernels::endConflict() {
    outside_.reset();
    conflict_->hide();
}

// As one step, so that undo returns to the file's own text.
void UserKernels::takeDraft() {
    const QString file = file_.file();
    const std::optional<KernelDrafts::Draft> draft = unsaved_.draft(file);
    if (!draft || editor_->document()->isModified()) return;
    emit draftTaken(file);
    if (draft->text == file_.text() && !file_.isGone()) return unsaved_.drop(file);
    if (draft->text != file_.text()) editor_->replaceText(draft->text);
    resume(draft->before);
    const QString was = tr("This text has not been saved.");
    note(file_.isGone() ? tr("%1 Its file no longer exists; saving the text writes the file again.").arg(was)
         : outside_     ? was
                        : tr("%1 Ctrl+Z returns to the file's text.").arg(was));
}

void UserKernels::resume(const QString& before) {
    const QString now = file_.text();
    if (file_.isGone()) {
        editor_->document()->setModified(true);
        note(tr("The file no longer exists; saving the text writes the file again."));
    } else if (now != before) {
        file_.take(before);
        takeOutside(now);
    }
}

void UserKernels::readHeader() {
    if (!unread_.isEmpty()) return head_->clear();
    const QString text = editor_->toPlainText();
    head_->setText(analysis_.toStdString(), file(), text.toStdString(), withIncludes(text));
}

bool UserKernels::save() {
    if (file_.file().isEmpty() || !editor_->document()->isModified()) return true;
    if (outside_) {
        tell(Error(ErrorKind::input, "another program changed the file", file(),
                   "use the file's version or keep your version before saving"));
        return false;
    }
    return guardedBy([this] {
        file_.save(editor_->toPlainText());
        know_kernel_text(withIncludes(editor_->toPlainText()));
        setUnmodified();
        notice_->hide();
    });
}

bool UserKernels::isInView() {
    if (isVisible() || file_.file().isEmpty() || shown_.isEmpty() || shown_ == id()) return true;
    note(tr("%1 is the kernel in the editor, but %2 was in view. Nothing was saved or run; press the key "
            "again "
            "for %1.")
             .arg(id(), shown_));
    return false;
}

void UserKernels::run() {
    if (!hasText() || !save()) return;
    header_.stop();
    readHeader();
    notice_->hide();
    editor_->setMessages({});
    ran_ = Resolved{editor_->toPlainText(), withIncludes(editor_->toPlainText())};
    ranIncludes_ = false;
    access_->cancel(tr("a run was started"));
    trial_->begin(tr("Building and running %1").arg(id()));
    showRunning();
    emit trialWanted({analysis_, id(), QString::fromStdString(head_->baseId()), bar_->chosenData(),
                      bar_->chosenRepeats(), ++trials_, QString::fromStdString(text_mark(ran_->whole))});
}

void UserKernels::checkAccesses() {
    if (!hasText() || !save()) return;
    header_.stop();
    readHeader();
    notice_->hide();
    if (device_.isEmpty())
        return tell(Error(ErrorKind::input,
                          "accesses can only be checked on an OpenCL device, but none is chosen", {},
                          "choose one in the main window"));
    editor_->setMessages({});
    const Resolved& judged =
        judged_[file_.file()] = {editor_->toPlainText(), withIncludes(editor_->toPlainText())};
    const bool asOnPage = bar_->chosenData() == TrialData::page && pageChoices_;
    access_->check(
        {analysis_, id(), device_, list_->folder(), asOnPage ? pageChoices_(analysis_) : QStringList()},
        file(), edited(), judged.whole, kernelFiles_);
}

void UserKernels::cancel() {
    access_->cancel();
    if (trial_->isRunning()) emit cancelWanted();
}

void UserKernels::showRunning() {
    if (!kernelActions_.isEmpty())
        kernelActions_.back()->setEnabled(trial_->isRunning() || access_->isRunning());
}

// Otherwise the text would be lost to the kernel that gets its name.
void UserKernels::requireNoUnsaved(const QString& file) const {
    if (unsaved_.find(file))
        throw Error(ErrorKind::input, "a kernel of this name has a text that has not been saved",
                    file.toStdString(), "save or delete that kernel first, or choose another name");
}

bool UserKernels::copy(const Variant& of, const QString& name) {
    const bool made = guardedBy([&] {
        // A copy of the visible text, whether or not it is saved.
        unsaved_.keepPlace(analysis_, file_.file(), file_.text());
        const auto unsaved = unsaved_.find(QString::fromStdString(of.user_file));
        const std::string folder = list_->folder().toStdString(), called = name.toStdString();
        list_->requireFree(name, {});
        requireNoUnsaved(list_->folder() + QLatin1Char('/') + analysis_ + QLatin1Char('/') + name +
                         QStringLiteral(".cl"));
        save_user_variant(unsaved ? copy_for_user(user_variant_of_text(of.analysis, of.user_file,
                                                                       unsaved->text.toStdString()),
                                                  called, folder)
                                  : copy_for_user(of, called, folder),
                          false);
    });
    if (!made) return false;
    fillList();
    emit listChanged();
    return open(name);
}

void UserKernels::askRename() {
    if (file_.file().isEmpty()) return;
    bool given = false;
    const QString to = QInputDialog::getText(this, tr("Rename"), tr("Name of the kernel"), QLineEdit::Normal,
                                             name(), &given);
    if (given && !to.isEmpty()) rename(to);
}

void UserKernels::rename(const QString& to) {
    if (to == name()) return;
    const QString before = id();
    const bool moved = guardedBy([&] {
        require_variant_name(to.toStdString(), "name of the kernel");
        const QString from = file_.file(), path = QFileInfo(from).dir().filePath(to + QStringLiteral(".cl"));
        if (isInFolder(path))
            throw Error(ErrorKind::input, "a kernel of this name already exists", path.toStdString());
        list_->requireFree(to, from);
        requireNoUnsaved(path);
        if (file_.isGone())
            throw Error(ErrorKind::input, "the file no longer exists", from.toStdString(),
                        "save the kernel first");
        keepDrafts();
        if (!QFile::rename(from, path))
            throw Error(ErrorKind::input, "it could not be renamed", from.toStdString());
        unsaved_.drop(from);
        unsaved_.rename(from, path);
        if (unsaved_.edit(path)) unsaved_.edited(path);
        history_->rename(analysis_, before, QLatin1String(UserVariant::user_variant_prefix) + to);
        access_->rename(from.toStdString(), path.toStdString());
        if (auto judged = judged_.extract(from); !judged.empty()) judged_[path] = std::move(judged.mapped());
        readFile(path);
    });
    fillList();
    if (!moved) return;
    emit renamed(analysis_, before, id());
    showOpen();
    keepDrafts();
    fillList();
    emit listChanged();
    emit opened(id());
}

void UserKernels::askRemove() {
    if (file_.file().isEmpty()) return;
    const QString question =
        editor_->document()->isModified()
            ? tr("Delete the kernel %1? Its text has changes that are not saved. Its file is moved to the "
                 "trash, and so is the edited text, in a file named %1-unsaved.cl; if that is not possible, "
                 "they are deleted permanently.")
            : tr("Delete the kernel %1? Its file is moved to the trash; if that is not possible, the file is "
                 "deleted permanently.");
    const auto answer = QMessageBox::question(this, tr("Delete"), question.arg(name()),
                                              QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Yes) remove();
}

void UserKernels::remove() {
    const QString gone = file_.file();
    if (gone.isEmpty()) return;
    if (editor_->document()->isModified() && !guardedBy([this] { trashText(); })) return;
    history_->drop(analysis_, id());
    access_->forget(gone.toStdString());
    judged_.erase(gone);
    readFile({});
    editor_->document()->setModified(false);
    unsaved_.drop(gone);
    const bool removed = !isInFolder(gone) || QFile::moveToTrash(gone) || QFile::remove(gone);
    fillList();
    showOpen();
    unsaved_.forget(gone);
    keepDrafts();
    if (!removed) tell(Error(ErrorKind::input, "it could not be removed", gone.toStdString()));
    emit listChanged();
}

void UserKernels::trashText() const {
    const QFileInfo named(file_.file());
    QString place = named.dir().filePath(named.completeBaseName() + QStringLiteral("-unsaved.cl"));
    for (int number = 2; QFileInfo::exists(place); ++number)
        place = named.dir().filePath(
            QStringLiteral("%1-unsaved-%2.cl").arg(named.completeBaseName()).arg(number));
    QDir().mkpath(named.path());
    io::write_text(place.toStdString(), edited(), false);
    if (!QFile::moveToTrash(place)) QFile::remove(place);
}

void UserKernels::takeOutside(const QString& text) {
    if (!unread_.isEmpty()) {
        unread_.clear();
        file_.take(text);
        showOpen();
        return fillList();
    }
    notice_->hide();  // its statement about the file no longer holds
    const QString mine = editor_->toPlainText();
    if (text != mine && editor_->document()->isModified() && mine != file_.text()) {
        outside_ = text;
        return showConflict();
    }
    endConflict();
    file_.take(text);
    if (text != mine) {
        editor_->replaceText(text);
        note(tr(
            "Another program changed the file; this is its new text (Ctrl+Z restores the previous text)."));
    }
    editor_->document()->setModified(false);
}

bool UserKernels::isOpen(const KernelTrial& trial) const {
    return analysis_ == trial.analysis && trial.id == id();
}

void UserKernels::setStep(const QString& what) {
    trial_->setStep(what);
}

void UserKernels::endTrial() {
    trial_->end();
    showRunning();
}

void UserKernels::setResult(const TrialResult& result) {
    markLines(result);
    readHeader();
    showAge();
    showRunning();
}

/// Of warnings, and of values other than those that were compiled: values for the device, or given ones, take
/// precedence where `#ifndef` guards a value in the text.
void UserKernels::markLines(const TrialResult& result) {
    QHash<int, KernelEditor::Message> marks =
        trial_->setResult(result, file(), triedText(), kernelFiles_).lines;
    if (!ran_ || editor_->toPlainText() != ran_->text) return;
    head_->setCompiled(result.compiled, ran_->text.toStdString());
    const std::map<std::string, std::string> inText = head_->inText(result.compiled);
    for (const auto& [name, define] : text_defines(ran_->text.toStdString(), {inText})) {
        const auto used = inText.find(name);
        if (used == inText.end() || used->second == define.value || define.unclear) continue;
        const QString why =
            head_->setsInHeader(name)
                ? tr("%1 is %2 in this run, as the header sets it. The value in this line is used when the "
                     "header sets none.")
                : tr("%1 is %2 in this run, a value chosen for the device. If you change the value in this "
                     "line, your value is used instead.");
        KernelEditor::Message& mark = marks[static_cast<int>(define.place.line) - 1];
        if (mark.text.isEmpty())
            mark.mark = CodeView::Mark::warning;
        else
            mark.text += QLatin1Char('\n');
        mark.text += why.arg(QString::fromStdString(name), QString::fromStdString(used->second));
    }
    if (!marks.isEmpty()) editor_->setMessages(marks);
}

void UserKernels::setError(const Error& error) {
    const TrialView::Marks marks = trial_->setError(error, file(), triedText(), kernelFiles_);
    editor_->setMessages(marks.lines);
    showAge();
    showRunning();
    if (error.kind() == ErrorKind::build) emit buildFailed(id(), error);
    if (marks.firstError) editor_->goToLine(*marks.firstError);
}

void UserKernels::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    keepDrafts();
}

}  // namespace ks::ui
