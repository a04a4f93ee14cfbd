#include "ui/spots/spot_table.h"

#include <QCheckBox>
#include <QClipboard>
#include <QEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/io/atomic_file.h"
#include "core/spots/spot_columns.h"
#include "ui/spots/count_text.h"

namespace ks::ui::spots {

SpotTable::~SpotTable() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void SpotTable::setResult(std::shared_ptr<const Run> run) {
    run_.reset();
    std::vector<ks::spots::Spot> found;
    int first = 0;
    try {
        if (run) {
            found = ks::spots::spots_of(run->result);
            first = run->result.facts.value("first_frame", 0);
        }
    } catch (const Error&) {
        model_.setSpots({}, 0);
        applyFilters();
        throw;
    }
    run_ = std::move(run);
    model_.setSpots(std::move(found), first);
    {
        const QSignalBlocker quiet(this);
        applyFilters();
    }
    // Another result has other spots: the number of the one that was current says nothing here.
    view_->setCurrentIndex({});
    showColumns();
    fitColumns();
    emit visibleSpotsChanged();
}

void SpotTable::applyFilters() {
    const int current = selected();
    const bool all = !keptOnly() && !frameOnly() && filter_.empty();
    const auto accepts = [this](int spot) {
        const ks::spots::Spot& s = model_.spots()[static_cast<std::size_t>(spot)];
        if (keptOnly() && s.dropped != ks::spots::Dropped::kept) return false;
        const std::int64_t frame = std::int64_t{frame_} - model_.firstFrame();
        if (frameOnly() && (frame < s.z0 || frame >= s.z1)) return false;
        return filter_.accepts(model_, spot);
    };
    if (all)
        model_.setAccepted({});
    else
        model_.setAccepted(accepts);
    select(current);
    showCounts();
    emit visibleSpotsChanged();
}

void SpotTable::showCounts() {
    counts_->setText(counts());
    export_->setEnabled(!visibleSpots().empty());
    QString hint;
    if (!run_)
        hint = tr("Run the search (F5): its spots appear here.");
    else if (spots().empty())
        hint = tr("No spots were found: lower the thresholds or the smallest size.");
    else if (visibleSpots().empty())
        hint = tr("No spot passes the filters.");
    empty_->setText(hint);
    empty_->setVisible(!hint.isEmpty());
}

QString SpotTable::counts() const {
    if (!run_) return {};
    const QString shown = QLocale(QLocale::English).toString(qulonglong{visibleSpots().size()});
    return tr("%1 of %2").arg(shown, spotsText(spots().size()));
}

void SpotTable::setFrame(int frame) {
    if (frame_ == frame) return;
    frame_ = frame;
    if (frameOnly()) applyFilters();
}

void SpotTable::select(int spot) {
    const int row = model_.rowOf(spot);
    quiet_ = true;
    if (row < 0) {
        view_->setCurrentIndex({});
        view_->clearSelection();
    } else {
        const QModelIndex old = view_->currentIndex();
        const int column = old.isValid() ? old.column() : view_->horizontalHeader()->logicalIndex(0);
        const QModelIndex index = model_.index(row, column);
        view_->setCurrentIndex(index);
        view_->selectRow(row);
        view_->scrollTo(index);
    }
    quiet_ = false;
}

int SpotTable::selected() const {
    const QModelIndex index = view_->currentIndex();
    return index.isValid() ? model_.spotAt(index.row()) : -1;
}

void SpotTable::setKeptOnly(bool on) {
    kept_->setChecked(on);
}

void SpotTable::setFrameOnly(bool on) {
    here_->setChecked(on);
}

bool SpotTable::keptOnly() const {
    return kept_->isChecked();
}

bool SpotTable::frameOnly() const {
    return here_->isChecked();
}

void SpotTable::setFilterText(const QString& text) {
    if (text_->text() != text) {
        const QSignalBlocker quiet(text_);
        text_->setText(text);
    }
    QString wrong;
    try {
        filter_ = SpotFilter::parse(text);
    } catch (const Error& error) {
        wrong = QString::fromStdString(error.message());
    }
    message_->setText(wrong);
    message_->setVisible(!wrong.isEmpty());
    if (wrong.isEmpty()) applyFilters();
}

QString SpotTable::filterText() const {
    return text_->text();
}

QString SpotTable::message() const {
    return message_->text();
}

std::string SpotTable::csv() const {
    using Model = SpotTableModel;
    const auto number = [](double value) {
        return std::isfinite(value) ? QByteArray::number(value, 'g', 17).toStdString() : std::string();
    };
    std::string text;
    for (int c = 0; c < Model::ColumnCount; ++c) {
        const auto column = static_cast<Model::Column>(c);
        if (c > 0) text += ',';
        text += column == Model::FramesColumn ? std::string("first_frame,last_frame") : Model::key(column);
    }
    text += '\n';
    for (const int spot : visibleSpots()) {
        for (int c = 0; c < Model::KeptColumn; ++c) {
            const auto column = static_cast<Model::Column>(c);
            text += number(model_.number(spot, column)) + ',';
            if (column == Model::FramesColumn) text += number(model_.lastFrame(spot)) + ',';
        }
        text += model_.text(spot, Model::KeptColumn).toStdString() + '\n';
    }
    return text;
}

void SpotTable::exportCsv(const std::filesystem::path& path, bool overwrite) const {
    io::write_text(path, csv(), overwrite);
}

void SpotTable::exportByDialog() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export spots"), QStringLiteral("spots.csv"),
                                                      tr("CSV table (*.csv)"));
    if (path.isEmpty()) return;
    try {
        exportCsv(path.toStdString(), true);  // the dialog has asked before it replaces a file
    } catch (const Error& error) {
        emit failed(error);
    }
}

void SpotTable::copySelected() const {
    QStringList lines{{}};
    std::vector<SpotTableModel::Column> shown;
    for (int visual = 0; visual < SpotTableModel::ColumnCount; ++visual) {
        const auto column =
            static_cast<SpotTableModel::Column>(view_->horizontalHeader()->logicalIndex(visual));
        if (view_->isColumnHidden(column)) continue;
        lines[0] += (shown.empty() ? QString() : QStringLiteral("\t")) + SpotTableModel::title(column);
        shown.push_back(column);
    }
    QModelIndexList rows = view_->selectionModel()->selectedRows();
    if (rows.empty()) return;
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& index : rows) {
        QStringList cells;
        for (const auto column : shown) cells << model_.text(model_.spotAt(index.row()), column);
        lines << cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

bool SpotTable::eventFilter(QObject* object, QEvent* event) {
    // The view itself would copy the current cell alone.
    if (object == view_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copySelected();
        return true;
    }
    if (object == view_->viewport()) {
        if (event->type() == QEvent::Resize) empty_->setGeometry(view_->viewport()->rect());
        // A click on the current row goes to its spot, too.
        if (event->type() == QEvent::MouseButtonPress) announced_ = false;
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace ks::ui::spots
