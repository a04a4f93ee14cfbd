#include "ui/xpcs/fit/fit_results.h"

#include <QLabel>

#include "ui/base/layouts.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/xpcs/fit/fit_table_model.h"

namespace ks::ui::xpcs {

FitResults::FitResults(QWidget* parent) : QWidget(parent), standing_(new QLabel) {
    standing_->setObjectName(QStringLiteral("fitStanding"));
    named(standing_, tr("State of the fits"));
    standing_->setTextFormat(Qt::PlainText);
    standing_->setWordWrap(true);
    standing_->setAutoFillBackground(true);
    standing_->setBackgroundRole(QPalette::Highlight);
    standing_->setForegroundRole(QPalette::HighlightedText);
    standing_->setContentsMargins(6, 1, 6, 1);
    standing_->hide();
    setLayout(inRows({standing_}));
    makeTable({});
}

void FitResults::makeTable(const std::vector<FittedRun>& fits) {
    delete table_;
    model_ = new FitTableModel(fits);
    FilterNames names = filterNames(*model_, QStringLiteral("q > 0.01, chi2_red < 2"));
    std::erase_if(names.columns, [this](const auto& one) { return model_->isWords(one.column); });
    table_ =
        new FilteredTable(*model_, names,
                          {tr("Fits"), tr("bins"),
                           tr("Conditions separated by commas; a row must meet all of them. Example: q > "
                              "0.01, chi2_red < 2. The tooltip of a column gives the name to use here."),
                           QStringLiteral("fit"), tr("bin")});
    // After the view among the children, so that it is destroyed later.
    model_->setParent(table_);
    table_->setShownColumns([model = model_](int column) { return model->isShown(column); });
    table_->setNote([this](int item) { return note_ ? note_(model_->run(item)) : QString(); });
    static_cast<QVBoxLayout*>(layout())->addWidget(table_, 1);
    connect(table_, &FilteredTable::picked, this, [this](int item) { emit picked(model_->bin(item)); });
    connect(table_, &FilteredTable::failed, this, &FitResults::failed);
}

void FitResults::setFits(const std::vector<FittedRun>& fits, const QString& hint, const QString& standing) {
    standing_->setText(standing);
    standing_->setVisible(!standing.isEmpty());
    if (model_->suits(fits))
        model_->setFits(fits);
    else
        makeTable(fits);
    table_->refresh(hint);
}

void FitResults::setOrigin(const QString& runs, const QString& file) {
    QString leaf = runs;
    for (QChar& one : leaf)
        if (!one.isLetterOrNumber() && one != QLatin1Char('.')) one = QLatin1Char('_');
    table_->setOrigin(runs, leaf);
    table_->setData(runs.isEmpty() ? std::nullopt : std::optional(file));
}

void FitResults::select(int bin) {
    for (int item = 0; item < model_->items(); ++item)
        if (model_->bin(item) == bin) return table_->select(item);
    table_->select(-1);
}

}  // namespace ks::ui::xpcs
