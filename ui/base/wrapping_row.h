#pragma once

#include <QLayout>
#include <QWidget>
#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace ks::ui {

/// Widgets from left to right that continue in further lines where there is too little width. One that
/// may have no width at all, such as an ElidedLabel, takes the rest of its line. The row is never narrower
/// than its widest other widget.
class WrappingRow : public QLayout {
  public:
    /// @param gap between the widgets and between the lines, in pixels
    explicit WrappingRow(std::initializer_list<QWidget*> widgets, int gap = 6) {
        setContentsMargins({});
        setSpacing(gap);
        for (QWidget* one : widgets) addWidget(one);
    }

    void addItem(QLayoutItem* item) override { items_.emplace_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override {
        return index < 0 || index >= count() ? nullptr : items_[static_cast<std::size_t>(index)].get();
    }
    QLayoutItem* takeAt(int index) override {
        if (!itemAt(index)) return nullptr;
        const auto at = items_.begin() + index;
        QLayoutItem* const taken = at->release();
        items_.erase(at);
        return taken;
    }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return placed({0, 0, width, 0}, false); }
    void setGeometry(const QRect& rect) override {
        QLayout::setGeometry(rect);
        placed(rect, true);
    }
    QSize sizeHint() const override {
        QSize all(0, 0);
        for (const auto& one : items_) {
            if (one->isEmpty()) continue;
            all.rwidth() += one->sizeHint().width() + (all.width() > 0 ? spacing() : 0);
            all.setHeight(std::max(all.height(), one->sizeHint().height()));
        }
        return all;
    }
    QSize minimumSize() const override {
        QSize least(0, 0);
        for (const auto& one : items_)
            if (!one->isEmpty())
                least = least.expandedTo(
                    {takesRest(*one) ? 0 : one->sizeHint().width(), one->sizeHint().height()});
        return least;
    }

  private:
    static bool takesRest(const QLayoutItem& one) { return one.minimumSize().width() == 0; }
    /// @return the height of all lines
    int placed(const QRect& in, bool move) const {
        const int right = in.left() + in.width();
        int x = in.left(), y = in.top(), height = 0;
        std::vector<std::pair<QLayoutItem*, QRect>> line;
        const auto end = [&] {
            int rest = std::max(right - (x - spacing()), 0), shift = 0;
            for (auto& [one, rect] : line) {
                rect.translate(shift, (height - rect.height()) / 2);
                if (takesRest(*one)) {
                    rect.setWidth(rest);
                    shift += std::exchange(rest, 0);
                }
                if (move) one->setGeometry(rect);
            }
            line.clear();
        };
        for (const auto& one : items_) {
            if (one->isEmpty()) continue;
            const QSize size(takesRest(*one) ? 0 : one->sizeHint().width(), one->sizeHint().height());
            if (!line.empty() && x + size.width() > right) {
                end();
                y += height + spacing();
                x = in.left();
                height = 0;
            }
            line.emplace_back(one.get(), QRect(QPoint(x, y), size));
            x += size.width() + spacing();
            height = std::max(height, size.height());
        }
        end();
        return y + height - in.top();
    }

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace ks::ui
