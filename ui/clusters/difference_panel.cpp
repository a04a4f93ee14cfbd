#include "ui/clusters/difference_panel.h"

#include <QLabel>
#include <utility>

#include "ui/base/count_text.h"
#include "ui/base/jobs.h"
#include "ui/base/layouts.h"
#include "ui/base/tables/filtered_table.h"

namespace ks::ui::clusters {
namespace {

const QString comparison = QStringLiteral("difference of runs");

FilterNames differenceNames(const OrderedTableModel& model) {
    FilterNames names = filterNames(model, QStringLiteral("merged, digis > 5"));
    for (int kind = 0; kind <= static_cast<int>(DifferenceKind::changed); ++kind)
        names.words.push_back({DifferenceModel::kindText(static_cast<DifferenceKind>(kind)),
                               DifferenceModel::KindColumn, static_cast<double>(kind)});
    return names;
}

QString nameOf(const RunClusters& run) {
    return run.number() > 0 ? DifferencePanel::tr("run %1").arg(run.number())
                            : DifferencePanel::tr("the preview");
}

}  // namespace

DifferencePanel::DifferencePanel(Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      text_(new QLabel),
      table_(
          new FilteredTable(model_, differenceNames(model_),
                            {tr("Differences of two runs"), tr("differences"),
                             tr("Conditions separated by commas; a row must meet all of them. Kinds: merged, "
                                "split, mixed, missing, added, changed. Example: split, digis > 5."),
                             QStringLiteral("differences")})) {
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    setLayout(inRows({text_, {table_, 1}}, 4));
    connect(table_, &FilteredTable::picked, this, &DifferencePanel::picked);
    connect(table_, &FilteredTable::failed, this, &DifferencePanel::failed);
}

// The table uses the model, which is a member.
DifferencePanel::~DifferencePanel() {
    delete table_;
}

void DifferencePanel::setRuns(std::shared_ptr<const RunClusters> older,
                              std::shared_ptr<const RunClusters> newer) {
    older_ = std::move(older);
    newer_ = std::move(newer);
    jobs_.drop(this, comparison);
    const bool two = older_ && newer_;
    model_.setDifference(nullptr, nullptr, nullptr);
    text_->setText({});
    text_->hide();
    table_->refresh(two ? tr("Comparing \u2026")
                        : tr("Tick two runs of this file to see merged, split and missing clusters here."));
    if (!two) return;
    jobs_.start(
        Jobs::Lane::general, this, comparison,
        [a = older_, b = newer_] { return std::make_shared<const DifferenceOfRuns>(differenceOf(*a, *b)); },
        [this](std::shared_ptr<const DifferenceOfRuns> found) { showFound(std::move(found)); });
}

void DifferencePanel::showFound(std::shared_ptr<const DifferenceOfRuns> found) {
    QStringList parts{tr("%1 the same").arg(grouped(found->same))};
    for (int kind = 0; kind <= static_cast<int>(DifferenceKind::changed); ++kind)
        if (const std::size_t n = found->count(static_cast<DifferenceKind>(kind)))
            parts << QStringLiteral("%1 %2").arg(
                grouped(n), DifferenceModel::kindText(static_cast<DifferenceKind>(kind)));
    text_->setText(
        tr("From %1 to %2: %3").arg(nameOf(*older_), nameOf(*newer_), parts.join(QStringLiteral(", "))));
    text_->show();
    model_.setDifference(std::move(found), older_, newer_);
    table_->refresh(tr("Both runs have the same clusters."));
}

}  // namespace ks::ui::clusters
