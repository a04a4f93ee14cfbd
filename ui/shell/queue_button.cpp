#include "ui/shell/queue_button.h"

#include "ui/runs/queue_panel.h"
#include "ui/runs/run_queue.h"

namespace ks::ui {

QueueButton::QueueButton(RunQueue& queue, QWidget* parent)
    : QToolButton(parent), panel_(new QueuePanel(queue, this)) {
    setAutoRaise(true);
    setAccessibleName(tr("Queue of runs"));
    setToolTip(tr("Runs waiting in the queue: click to list or cancel them"));
    hide();
    connect(this, &QToolButton::clicked, this, [this] {
        const QPoint corner = mapToGlobal(QPoint(width(), 0));
        panel_->move(corner - QPoint(panel_->width(), panel_->height()));
        panel_->show();
    });
    connect(&queue, &RunQueue::changed, this, [this, &queue] {
        const int count = queue.waiting();
        setText(tr("%1 waiting").arg(count));
        setVisible(count > 0);
    });
}

}  // namespace ks::ui
