#pragma once

#include <QImage>
#include <QString>
#include <QWidget>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/xpcs/live/live_pairs.h"
#include "ui/base/jobs.h"

class QLabel;
class QListWidget;

namespace ks::ui::xpcs {

/// Small two-time maps of all bins, each with its own colour scale, from the sums of pairs.
class MapGrid : public QWidget {
    Q_OBJECT
  public:
    /// @param jobs outlives it
    explicit MapGrid(Jobs& jobs, QWidget* parent = nullptr);

    /// Null: there are none. @param why there are none, or what is being done
    void setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why);
    /// The frames that the next run takes, [frame].
    void setUsed(const std::vector<bool>& used);
    void setBin(int label);

    /// A map per bin with pixels.
    QListWidget& maps() { return *maps_; }

  signals:
    /// The user chose the map of a bin.
    void picked(int label);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    struct Asked {
        std::shared_ptr<const ks::xpcs::LivePairs> pairs;
        std::vector<bool> used;
        bool operator==(const Asked&) const = default;
    };
    struct Small {
        int label;
        QImage picture;
    };
    void compute();
    void take(const std::vector<Small>& maps);

    Jobs& jobs_;
    std::shared_ptr<const ks::xpcs::LivePairs> pairs_;
    std::vector<bool> used_;
    std::optional<Asked> asked_;
    int bin_ = 0;
    QLabel* text_;
    QListWidget* maps_;
};

}  // namespace ks::ui::xpcs
