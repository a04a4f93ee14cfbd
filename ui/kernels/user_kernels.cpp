#include "ui/kernels/user_kernels.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/user/shown_variant.h"
#include "core/run/user/text_defines.h"
#include "core/run/user/user_includes.h"
#include "core/run/user/user_variant.h"
#include "ui/base/count_text.h"
#include "ui/kernels/access/access_panel.h"
#include "ui/kernels/bars/find_bar.h"
#include "ui/kernels/bars/line_bar.h"
#include "ui/kernels/define_fields.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/trial/trial_bar.h"
#include "ui/kernels/trial/trial_history.h"
#include "ui/kernels/trial/trial_view.h"
#include "ui/kernels/user_kernel_list.h"

namespace ks::ui {
namespace {

constexpr int listWidth = 190, headerMs = 250, draftMs = 1000, draftAgainMs = 5000;

}  // namespace

UserKernels::UserKernels(QWidget* parent)
    : QWidget(parent),
      list_(new UserKernelList),
      what_(new QLabel),
      notice_(new QLabel),
      unkept_(new QLabel),
      conflict_(new QWidget),
      reload_(new QPushButton(tr("Use the file's"))),
      keep_(new QPushButton(tr("Keep mine"))),
      bar_(new TrialBar),
      history_(new TrialHistory),
      defines_(new DefineFields),
      editor_(new KernelEditor),
      find_(new FindBar(*editor_)),
      line_(new LineBar(*editor_)),
      trial_(new TrialView),
      access_(new AccessPanel),
      documents_(*editor_) {
    auto* both = new QSplitter;
    both->setChildrenCollapsible(false);
    both->addWidget(makeSide());
    both->addWidget(makeEditor());
    both->setStretchFactor(1, 1);
    both->setSizes({listWidth, 900});
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(both);
    header_.setSingleShot(true);
    header_.setInterval(headerMs);
    connect(&header_, &QTimer::timeout, this, &UserKernels::readHeader);
    draft_.setSingleShot(true);
    connect(&draft_, &QTimer::timeout, this, &UserKernels::keepDrafts);
    connect(&file_, &WatchedFile::changedOutside, this, &UserKernels::takeOutside);
    connect(&file_, &WatchedFile::removedOutside, this, [this] {
        outside_.reset();
        conflict_->hide();
        editor_->document()->setModified(true);
        noteEdited();
        notice_->setText(tr("Another program removed the file; saving writes it again."));
        notice_->show();
    });
    connectParts();
    connectAccesses();
    makeActions();
    makeEditActions();
    showOpen();
}

UserKernels::~UserKernels() {
    editor_->disconnect(this);
    blockSignals(true);  // at exit the user was asked; nobody is left to be told
    keepDrafts();
}

QWidget* UserKernels::makeEditor() {
    auto* side = new QWidget;
    auto* rows = new QVBoxLayout(side);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(makeTop());
    auto* fields = new QHBoxLayout;
    fields->setContentsMargins(8, 0, 8, 4);
    fields->addWidget(defines_);
    rows->addLayout(fields);
    auto* asked = new QHBoxLayout(conflict_);
    asked->setContentsMargins(8, 4, 8, 4);
    auto* question = new QLabel(tr("Another program changed the file, and you changed the text here."));
    question->setWordWrap(true);
    asked->addWidget(question, 1);
    asked->addWidget(reload_);
    asked->addWidget(keep_);
    conflict_->setAutoFillBackground(true);
    conflict_->setBackgroundRole(QPalette::ToolTipBase);
    conflict_->hide();
    rows->addWidget(conflict_);
    notice_->setContentsMargins(8, 4, 8, 4);
    notice_->setWordWrap(true);
    notice_->setAccessibleName(tr("Notice"));
    notice_->hide();
    rows->addWidget(notice_);
    unkept_->setContentsMargins(8, 4, 8, 4);
    unkept_->setWordWrap(true);
    unkept_->setAutoFillBackground(true);
    unkept_->setBackgroundRole(QPalette::ToolTipBase);
    unkept_->setAccessibleName(tr("Texts that could not be kept"));
    unkept_->hide();
    rows->addWidget(unkept_);
    rows->addWidget(editor_, 1);
    rows->addWidget(find_);
    rows->addWidget(line_);
    rows->addWidget(trial_);
    rows->addWidget(access_);
    return side;
}

QWidget* UserKernels::makeSide() {
    auto* side = new QSplitter(Qt::Vertical);
    side->setChildrenCollapsible(false);
    side->addWidget(list_);
    side->addWidget(history_);
    side->setStretchFactor(0, 2);
    side->setStretchFactor(1, 1);
    return side;
}

QLayout* UserKernels::makeTop() {
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 4);
    top->setSpacing(8);
    what_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    what_->setTextFormat(Qt::RichText);
    what_->setAccessibleName(tr("Kernel being edited"));
    what_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    top->addWidget(what_, 1);
    top->addWidget(bar_);
    return top;
}

void UserKernels::connectParts() {
    connect(bar_, &TrialBar::runWanted, this, &UserKernels::run);
    connect(reload_, &QPushButton::clicked, this, [this] {
        const QString text = outside_.value_or(file_.text());
        outside_.reset();
        conflict_->hide();
        file_.take(text);
        editor_->replaceText(text);
        editor_->document()->setModified(false);
        dropDraft();
    });
    connect(keep_, &QPushButton::clicked, this, [this] {
        if (outside_) file_.take(*outside_);
        outside_.reset();
        conflict_->hide();
    });
    connect(editor_, &QPlainTextEdit::textChanged, &header_, qOverload<>(&QTimer::start));
    connect(editor_, &QPlainTextEdit::textChanged, this, &UserKernels::showAge);
    // At the latest this long after a change, however fast the user types.
    connect(editor_, &QPlainTextEdit::textChanged, this, &UserKernels::noteEdited);
    connect(editor_, &QPlainTextEdit::modificationChanged, this, [this](bool modified) {
        // A text without a file is unsaved, however many steps are undone.
        if (!modified && file_.isGone()) return editor_->document()->setModified(true);
        noteEdited();
        fillList();
    });
    connect(editor_, &KernelEditor::saveWanted, this, &UserKernels::save);
    connect(defines_, &DefineFields::edited, this, &UserKernels::setDefine);
    connect(trial_, &TrialView::lineWanted, this, [this](int line) {
        editor_->goToLine(line);
        editor_->setFocus();
    });
    connect(trial_, &TrialView::placeWanted, this, &UserKernels::placeWanted);
    connect(trial_, &TrialView::worstPlaceWanted, this, &UserKernels::worstPlaceWanted);
    connect(list_, &UserKernelList::chosen, this, &UserKernels::openFile);
    connect(list_, &UserKernelList::copyWanted, this, &UserKernels::copyWanted);
    connect(list_, &UserKernelList::renameWanted, this, &UserKernels::askRename);
    connect(list_, &UserKernelList::removeWanted, this, &UserKernels::askRemove);
    connect(list_, &UserKernelList::openElsewhereWanted, this, [this] {
        if (save()) QDesktopServices::openUrl(QUrl::fromLocalFile(file_.file()));
    });
    connect(trial_, &TrialView::cancelWanted, this, &UserKernels::cancel);
}

void UserKernels::connectAccesses() {
    connect(bar_, &TrialBar::checkWanted, this, &UserKernels::checkAccesses);
    connect(access_, &AccessPanel::lineWanted, this, [this](int line) {
        editor_->goToLine(line);
        editor_->setFocus();
    });
    connect(access_, &AccessPanel::placeWanted, this, &UserKernels::placeWanted);
    connect(access_, &AccessPanel::marked, editor_, &KernelEditor::setMessages);
    connect(access_, &AccessPanel::marked, this, &UserKernels::showAge);
    connect(access_, &AccessPanel::runningChanged, this, &UserKernels::showRunning);
}

void UserKernels::makeActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, const QString& tip,
                            void (UserKernels::*act)()) {
        auto* made = new QAction(text, this);
        made->setShortcut(key);
        made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        made->setStatusTip(tip);
        connect(made, &QAction::triggered, this, act);
        addAction(made);
        kernelActions_ << made;
    };
    add(tr("&Save"), QKeySequence::Save, tr("Write the text to its file"), &UserKernels::saveText);
    add(tr("Save and &run"), QKeySequence(Qt::Key_F7), bar_->runButton().toolTip(), &UserKernels::run);
    add(tr("Check &accesses"), QKeySequence(Qt::SHIFT | Qt::Key_F7), bar_->checkButton().toolTip(),
        &UserKernels::checkAccesses);
    add(tr("&Cancel"), QKeySequence(Qt::Key_Escape), tr("Cancel the current run or check"),
        &UserKernels::cancel);
}

// Their shortcuts belong to the editor, which handles them itself.
void UserKernels::makeEditActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, auto act) {
        auto* made = new QAction(text, this);
        made->setShortcut(key);
        made->setShortcutContext(Qt::WidgetShortcut);
        connect(made, &QAction::triggered, editor_, act);
        return made;
    };
    editActions_ << add(tr("&Undo"), QKeySequence::Undo, &QPlainTextEdit::undo)
                 << add(tr("&Redo"), QKeySequence::Redo, &QPlainTextEdit::redo) << find_->findAction()
                 << find_->replaceAction() << line_->action()
                 << add(tr("&Comment lines"), QKeySequence(Qt::CTRL | Qt::Key_Slash),
                        &KernelEditor::toggleComments);
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

void UserKernels::tell(const Error& error) {
    notice_->setText(QString::fromUtf8(error.what()));
    notice_->show();
    emit failed(error);
}

std::string UserKernels::withIncludes(const QString& text) const {
    const std::filesystem::path folder = list_->folder().toStdString();
    std::set<std::filesystem::path> read;
    try {
        return with_own_includes(text.toStdString(), file(),
                                 {folder, {folder / analysis_.toStdString(), folder}}, read);
    } catch (const Error& error) {
        return error.what();  // a text that cannot be run counts as another one as well
    }
}

void UserKernels::lookAtIncludes() {
    const auto changed = [this](const std::optional<Resolved>& then) {
        return then && withIncludes(then->text) != then->whole;
    };
    ranIncludes_ = changed(ran_);
    access_->setIncludesChanged(changed(judged_));
    showAge();
}

void UserKernels::showAge() {
    const QString text = editor_->toPlainText();
    trial_->setOutdated(ran_ && (ranIncludes_ || text != ran_->text));
    access_->setText(text);
    trial_->setRacesLookedFor(access_->looksAtRaces());
}

void UserKernels::setFolder(const QString& folder) {
    keepDrafts();
    list_->setFolder(folder);
    file_.open({});
    fillList();
    showOpen();
}

void UserKernels::setAnalysis(const QString& analysis, const std::vector<Variant>& variants,
                              const std::map<std::string, std::string>& kernelFiles) {
    variants_ = variants;
    kernelFiles_ = kernelFiles;
    std::vector<Variant> shipped;
    for (const Variant& one : variants_)
        if (!one.from_user()) shipped.push_back(one);
    list_->setAnalysis(analysis, std::move(shipped));
    const bool another = analysis != analysis_;
    if (another) {
        keepDrafts();
        openBefore_[analysis_] = file_.file();
        analysis_ = analysis;
        file_.open({});
        showOpen();
    }
    fillList();
    readHeader();
    lookAtIncludes();
    const QString before = openBefore_[analysis_];
    if (another && (QFileInfo::exists(before) || unsavedOf(before))) openFile(before);
}

void UserKernels::fillList() {
    std::set<QString> unsaved;
    for (const QString& file : documents_.allUnsaved())
        if (file == file_.file() || documents_.unsaved(file)->analysis == analysis_) unsaved.insert(file);
    for (const KernelDrafts::Draft& draft : drafts_.all())
        if (draft.analysis == analysis_ && !documents_.holds(draft.file)) unsaved.insert(draft.file);
    list_->fill(file_.file(), unsaved);
}

QString UserKernels::name() const {
    return QFileInfo(file_.file()).completeBaseName();
}

QString UserKernels::openId() const {
    return file_.file().isEmpty() ? QString() : id();
}

QString UserKernels::fault() const {
    return list_->faultOf(file_.file());
}

QString UserKernels::id() const {
    return QString::fromLatin1(UserVariant::user_variant_prefix) + name();
}

bool UserKernels::open(const QString& name) {
    return openFile(list_->fileOf(name));
}

bool UserKernels::openFile(const QString& file) {
    if (file.isEmpty()) return false;
    if (file == file_.file()) return true;
    keepDrafts();
    const std::optional<KernelDrafts::Draft> unsaved = unsavedOf(file);
    const bool isRead = guardedBy([&] {
        if (unsaved && !QFileInfo::exists(file))
            file_.openGone(file, unsaved->before);
        else
            file_.open(file);
    });
    if (!isRead) {
        fillList();
        return false;
    }
    showOpen();
    fillList();
    emit opened(id());
    return true;
}

void UserKernels::showOpen() {
    const bool any = !file_.file().isEmpty();
    outside_.reset();
    ran_.reset();
    judged_.reset();
    ranIncludes_ = false;
    compiled_.clear();
    conflict_->hide();
    notice_->hide();
    access_->clear();
    const std::optional<KernelDrafts::Draft> unsaved = documents_.unsaved(file_.file());
    editor_->showDocument(documents_.of(file_.file(), file_.text()));
    documents_.restorePlace(file_.file());
    documents_.dropMissing(file_.file());
    editor_->setMessages({});
    editor_->setEnabled(any);
    defines_->setEnabled(any);
    bar_->setUsable(any);
    what_->clear();
    editor_->setPlaceholderText(any ? QString()
                                    : tr("Choose a kernel at the left, or copy a variant to write one."));
    trial_->setHint(any ? tr("F7 saves, builds and runs this kernel, checks a sample of its result, and "
                             "times it against its base.")
                        : QString());
    if (unsaved)
        resume(unsaved->before);
    else
        takeDraft();
    readHeader();
    showRunning();
    history_->showOf(analysis_, id());
}

void UserKernels::setDraftsFolder(const QString& folder) {
    drafts_.setFolder(folder);
    takeDraft();
    pending_ = documents_.allUnsaved();
    keepDrafts();
    fillList();
}

void UserKernels::noteEdited() {
    if (file_.file().isEmpty()) return;
    pending_.insert(file_.file());
    if (!draft_.isActive()) draft_.start(draftMs);
}

void UserKernels::keepDrafts() {
    documents_.keepPlace(analysis_, file_.file(), file_.text());
    if (!drafts_.hasFolder()) return;
    QStringList names;
    std::string why;
    for (const QString& file : std::set<QString>(pending_)) try {
            if (const std::optional<KernelDrafts::Draft> draft = documents_.unsaved(file))
                drafts_.keep(*draft);
            else
                drafts_.drop(file);
            pending_.erase(file);
        } catch (const Error& error) {
            names << QFileInfo(file).completeBaseName();
            why = error.message();
        }
    if (!pending_.empty()) draft_.start(draftAgainMs);
    setUnkept(names.isEmpty()
                  ? QString()
                  : tr("The text of the kernel %1 cannot be kept for the next start. Retrying every few "
                       "seconds; Ctrl+S saves it. %2")
                        .arg(names.join(tr(" and of ")), capitalised(QString::fromStdString(why))));
}

void UserKernels::setUnkept(const QString& sentence) {
    if (sentence == unkept_->text()) return;
    unkept_->setText(sentence);
    unkept_->setVisible(!sentence.isEmpty());
    emit keepingChanged(sentence);
}

std::vector<KernelDrafts::Draft> UserKernels::keepTexts() {
    keepDrafts();
    std::vector<KernelDrafts::Draft> left;
    for (const QString& file : pending_)
        if (std::optional<KernelDrafts::Draft> one = documents_.unsaved(file))
            left.push_back(*std::move(one));
    return left;
}

void UserKernels::dropDraft() {
    drafts_.drop(file_.file());
    pending_.erase(file_.file());
    keepDrafts();
}

std::optional<KernelDrafts::Draft> UserKernels::unsavedOf(const QString& file) const {
    return documents_.holds(file) ? documents_.unsaved(file) : drafts_.find(file);
}

// As one step, so that undo returns to the file's own text.
void UserKernels::takeDraft() {
    const QString file = file_.file();
    const std::optional<KernelDrafts::Draft> draft = drafts_.find(file);
    if (!draft || editor_->document()->isModified()) return;
    emit draftTaken(file);
    if (draft->text == file_.text() && !file_.isGone()) return drafts_.drop(file);
    if (draft->text != file_.text()) editor_->replaceText(draft->text);
    resume(draft->before);
    const QString was = tr("This text was not saved when the program ended.");
    notice_->setText(file_.isGone() ? tr("%1 Its file no longer exists; saving writes it again.").arg(was)
                     : outside_     ? was
                                    : tr("%1 Ctrl+Z returns to the file's text.").arg(was));
    notice_->show();
}

void UserKernels::resume(const QString& before) {
    const QString now = file_.text();
    if (file_.isGone()) {
        editor_->document()->setModified(true);
        notice_->setText(tr("The file no longer exists; saving writes it again."));
        notice_->show();
    } else if (now != before) {
        file_.take(before);
        takeOutside(now);
    }
}

const Variant* UserKernels::base() const {
    const auto found = std::ranges::find(variants_, baseId_, &Variant::id);
    return found == variants_.end() ? nullptr : &*found;
}

void UserKernels::readHeader() {
    if (file_.file().isEmpty()) {
        baseId_.clear();
        return defines_->setDefines({}, {}, {});
    }
    try {
        const UserVariant own =
            user_variant_of_text(analysis_.toStdString(), file(), editor_->toPlainText().toStdString());
        baseId_ = own.base;
        // As in the table of runs.
        const std::string mark = text_mark(withIncludes(editor_->toPlainText()));
        what_->setText(tr("<b>%1</b>, text %2,&nbsp; launched as %3")
                           .arg(QString::fromStdString(own.id()).toHtmlEscaped(),
                                QString::fromStdString(mark),
                                QString::fromStdString(own.base).toHtmlEscaped()));
        std::map<std::string, std::string> unsaid = compiled_;
        if (base())
            for (const auto& [name, define] : chosen_defines(own.text, base()->source))
                unsaid[name] = define.value;
        defines_->setDefines(base() ? base()->defines : std::vector<DefineSpec>(), own.defines, unsaid);
        defines_->setEnabled(true);
        what_->setToolTip(file_.file());
    } catch (const Error& error) {
        what_->setText(QString::fromStdString(error.message()).toHtmlEscaped());
        what_->setToolTip(QString::fromUtf8(error.what()));
        defines_->setEnabled(false);
    }
}

void UserKernels::setDefine(const QString& name, const QString& value) {
    const QString before = editor_->toPlainText();
    const QString after =
        QString::fromStdString(with_define(before.toStdString(), name.toStdString(), value.toStdString()));
    if (after != before) editor_->replaceText(after);
}

void UserKernels::saveText() {
    save();
}

bool UserKernels::save() {
    if (file_.file().isEmpty() || !editor_->document()->isModified()) return true;
    if (outside_) {
        tell(Error(ErrorKind::input, "another program changed the file", file(),
                   "take the file's text or keep yours before saving"));
        return false;
    }
    return guardedBy([this] {
        file_.save(editor_->toPlainText());
        editor_->document()->setModified(false);
        dropDraft();
        notice_->hide();
    });
}

void UserKernels::run() {
    if (file_.file().isEmpty() || !save()) return;
    header_.stop();
    readHeader();
    notice_->hide();
    editor_->setMessages({});
    ran_ = Resolved{editor_->toPlainText(), withIncludes(editor_->toPlainText())};
    ranIncludes_ = false;
    access_->cancel(tr("a run was started"));
    trial_->begin(tr("Building and running"));
    showRunning();
    emit trialWanted({analysis_, id(), QString::fromStdString(baseId_), bar_->chosenData(),
                      bar_->chosenRepeats(), ++trials_});
}

void UserKernels::checkAccesses() {
    if (file_.file().isEmpty() || !save()) return;
    header_.stop();
    readHeader();
    notice_->hide();
    if (device_.isEmpty())
        return tell(Error(ErrorKind::input, "accesses are checked on an OpenCL device, and none is chosen",
                          {}, "choose one in the main window"));
    editor_->setMessages({});
    judged_ = Resolved{editor_->toPlainText(), withIncludes(editor_->toPlainText())};
    access_->check({analysis_, id(), device_, list_->folder()}, file(), editor_->toPlainText(), kernelFiles_);
}

void UserKernels::cancel() {
    access_->cancel();
    if (trial_->isRunning()) emit cancelWanted();
}

void UserKernels::setWorkerBusy(bool busy) {
    access_->setWorkerBusy(busy);
}

void UserKernels::showRunning() {
    if (!kernelActions_.isEmpty())
        kernelActions_.back()->setEnabled(trial_->isRunning() || access_->isRunning());
}

QString UserKernels::freeName(const Variant& of) const {
    return list_->freeName(of);
}

bool UserKernels::copy(const Variant& of, const QString& name) {
    const bool made = guardedBy([&] {
        // A copy of the visible text, whether or not it is saved.
        documents_.keepPlace(analysis_, file_.file(), file_.text());
        const auto unsaved = unsavedOf(QString::fromStdString(of.user_file));
        const std::string folder = list_->folder().toStdString(), called = name.toStdString();
        list_->requireFree(name, {});
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
    const bool renamed = guardedBy([&] {
        require_variant_name(to.toStdString(), "name of the kernel");
        const QString from = file_.file(), path = QFileInfo(from).dir().filePath(to + QStringLiteral(".cl"));
        if (QFileInfo::exists(path))
            throw Error(ErrorKind::input, "a kernel of this name already exists", path.toStdString());
        list_->requireFree(to, from);
        if (file_.isGone())
            throw Error(ErrorKind::input, "the file no longer exists", from.toStdString(),
                        "save the kernel first");
        keepDrafts();
        const bool moved = QFile::rename(from, path);
        if (moved) {
            dropDraft();
            documents_.rename(from, path);
            if (documents_.unsaved(path)) pending_.insert(path);
            history_->rename(analysis_, before, QLatin1String(UserVariant::user_variant_prefix) + to);
            file_.open(path);
        }
        if (!moved) throw Error(ErrorKind::input, "it could not be renamed", from.toStdString());
    });
    fillList();
    if (!renamed) return;
    showOpen();
    keepDrafts();
    fillList();
    emit listChanged();
    emit opened(id());
}

void UserKernels::askRemove() {
    if (file_.file().isEmpty()) return;
    const auto answer = QMessageBox::question(
        this, tr("Delete"),
        tr("Delete the kernel %1? Its file is moved to the trash if there is one.").arg(name()),
        QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Yes) remove();
}

void UserKernels::remove() {
    const QString gone = file_.file();
    if (gone.isEmpty()) return;
    history_->drop(analysis_, id());
    file_.open({});
    editor_->document()->setModified(false);
    drafts_.drop(gone);
    pending_.erase(gone);
    const bool removed = !QFileInfo::exists(gone) || QFile::moveToTrash(gone) || QFile::remove(gone);
    fillList();
    showOpen();
    documents_.drop(gone);
    keepDrafts();
    if (!removed) tell(Error(ErrorKind::input, "it could not be removed", gone.toStdString()));
    emit listChanged();
}

void UserKernels::takeOutside(const QString& text) {
    notice_->hide();  // its statement about the file no longer holds
    const QString mine = editor_->toPlainText();
    if (text == mine) {
        file_.take(text);
        outside_.reset();
        conflict_->hide();
        editor_->document()->setModified(false);
    } else if (!editor_->document()->isModified() || mine == file_.text()) {
        outside_.reset();
        conflict_->hide();
        file_.take(text);
        editor_->replaceText(text);
        editor_->document()->setModified(false);
        notice_->setText(tr("Another program changed the file; this is its new text (Ctrl+Z undoes that)."));
        notice_->show();
    } else {
        outside_ = text;
        conflict_->show();
    }
}

bool UserKernels::isOpen(const KernelTrial& trial) const {
    return analysis_ == trial.analysis && trial.id == id();
}

void UserKernels::setRunning(const QString& step) {
    trial_->setStep(step);
}

void UserKernels::setResult(const TrialResult& result) {
    trial_->setResult(result);
    markDefines(result.compiled);
    readHeader();
    showAge();
    showRunning();
}

/// The text may contain other values than those it was compiled with: values for the device, or given ones,
/// take precedence where `#ifndef` guards them.
void UserKernels::markDefines(const std::map<std::string, std::string>& compiled) {
    if (!ran_ || editor_->toPlainText() != ran_->text) return;
    compiled_ = compiled;
    if (base())
        for (const auto& [name, define] : chosen_defines(ran_->text.toStdString(), base()->source))
            compiled_.erase(name);
    QHash<int, KernelEditor::Message> marks;
    for (const auto& [name, define] : text_defines(ran_->text.toStdString())) {
        const auto used = compiled.find(name);
        if (used == compiled.end() || used->second == define.value) continue;
        marks.insert(static_cast<int>(define.place.line) - 1,
                     {CodeView::Mark::warning,
                      tr("%1 is %2 in this run: chosen for the device, or set in the header. If you change "
                         "the value in this line, that is used instead.")
                          .arg(QString::fromStdString(name), QString::fromStdString(used->second))});
    }
    if (!marks.isEmpty()) editor_->setMessages(marks);
}

void UserKernels::setError(const Error& error) {
    const TrialView::Marks marks =
        trial_->setError(error, file(), editor_->toPlainText().toStdString(), kernelFiles_);
    editor_->setMessages(marks.lines);
    showAge();
    showRunning();
    if (error.kind() == ErrorKind::build) emit buildFailed(id(), error);
    if (marks.firstError) editor_->goToLine(*marks.firstError);
}

void UserKernels::keep(const KernelTrial& trial, const TrialResult& result) {
    history_->take(trial, result);
}

void UserKernels::keep(const KernelTrial& trial, const Error& error) {
    history_->take(trial, error);
}

void UserKernels::setCopied(const QString& variant) {
    list_->setCopied(variant);
}

void UserKernels::setDataChoices(const std::vector<TrialDataChoice>& choices) {
    bar_->setDataChoices(choices);
}

QListWidget& UserKernels::list() {
    return list_->list();
}

QListWidget& UserKernels::messages() {
    return trial_->messages();
}

QLabel& UserKernels::result() {
    return trial_->line();
}

void UserKernels::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!pending_.empty()) keepDrafts();
}

}  // namespace ks::ui
