#include "ui/kernels/assembly_view.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <utility>

#include "ui/base/layouts.h"
#include "ui/kernels/bars/find_bar.h"
#include "ui/kernels/code_view.h"

namespace ks::ui {

AssemblyView::AssemblyView(QWidget* parent)
    : QWidget(parent),
      choice_(named(new QComboBox, tr("Program"))),
      ask_(new QPushButton(tr("Show instructions"))),
      note_(named(new QLabel, tr("About the instructions"))),
      text_(named(new CodeView, tr("Instructions"))) {
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    ask_->setToolTip(tr("Show the driver's translation of this program"));
    note_->setWordWrap(true);
    text_->setWhatsThis(
        tr("The program as translated by the driver: PTX on NVIDIA. The margin shows the source line of each "
           "instruction; click the margin to go to that line."));
    setLayout(inRows(
        {inColumns({choice_, ask_, {note_, 1}}, 8, {8, 4, 8, 4}), {text_, 1}, new FindBar(*text_)}, 0));
    connect(ask_, &QPushButton::clicked, this, [this] {
        if (!program()) return;
        emit wanted(program()->request);
        setNote(tr("Waiting for the driver ..."));
    });
    connect(choice_, &QComboBox::currentIndexChanged, this, [this] {
        places_.clear();
        text_->setPlainText({});
        text_->setPlaceholderText({});
        text_->setLabels({});
        text_->setGrounds({});
        setNote(tr(
            "Press \"Show instructions\" to rebuild the program and get the driver's instructions for it."));
    });
    connect(text_, &CodeView::marginClicked, this, [this](int line) {
        const auto at = static_cast<std::size_t>(line);
        if (at < places_.size() && places_[at]) emit placeClicked(*places_[at]);
    });
    setPrograms({});
}

const AssemblyProgram* AssemblyView::program() const {
    const int at = choice_->currentIndex();
    return at < 0 || static_cast<std::size_t>(at) >= programs_.size()
               ? nullptr
               : &programs_[static_cast<std::size_t>(at)];
}

void AssemblyView::setPrograms(std::vector<AssemblyProgram> programs) {
    programs_ = std::move(programs);
    choice_->clear();
    for (const AssemblyProgram& one : programs_) {
        choice_->addItem(QString::fromStdString(one.request.source_file));
        choice_->setItemData(choice_->count() - 1, QString::fromStdString(one.request.options),
                             Qt::ToolTipRole);
    }
    choice_->setVisible(!programs_.empty());
    ask_->setEnabled(!programs_.empty());
    if (programs_.empty())
        setNote(tr("Run this variant on its page first; then its instructions can be shown."));
}

void AssemblyView::setNote(const QString& text) {
    note_->setText(text);
}

void AssemblyView::setAssembly(const Assembly& assembly) {
    places_.clear();
    text_->setGrounds({});
    if (assembly.language.empty() || !program()) {
        text_->setPlainText({});
        text_->setPlaceholderText(QString::fromStdString(assembly.text));
        return setNote(tr("There are no instructions to show."));
    }
    QStringList labels;
    for (const std::optional<std::size_t> line : source_lines_of_ptx(assembly.text)) {
        places_.push_back(line ? program()->source.place_of(*line) : std::nullopt);
        labels << (places_.back() ? QString::number(places_.back()->line) : QStringLiteral(" "));
    }
    text_->setPlainText(QString::fromStdString(assembly.text));
    text_->setLabels(labels);
    setNote(tr("%1, %2 lines; the margin shows the source lines")
                .arg(QString::fromStdString(assembly.language))
                .arg(places_.size()));
}

void AssemblyView::markPlace(const SourcePlace& place) {
    QList<CodeView::Ground> grounds;
    for (const std::optional<SourcePlace>& one : places_)
        grounds << (one == place ? CodeView::Ground::changed : CodeView::Ground::plain);
    text_->setGrounds(grounds);
}

}  // namespace ks::ui
