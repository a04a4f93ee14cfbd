#pragma once

#include <QWidget>

class QSlider;
class QSpinBox;
class QTimer;
class QToolButton;

namespace ks::ui {

/// Selects one frame of a stack: first, previous, slider, next, last, "123 / 500", play. Frames count from 0.
/// In a narrow widget first and last are hidden, then previous and next. Keys with the focus: Left, Right,
/// Page Up, Page Down (10 frames), Home, End, Space.
class FrameSlider : public QWidget {
    Q_OBJECT
  public:
    /// @param noun what is selected, for tooltips and accessible names
    explicit FrameSlider(QWidget* parent = nullptr, const QString& noun = tr("frame"));

    /// 0 disables everything; a frame beyond the new end becomes the last one.
    void setFrameCount(int count);
    int frameCount() const { return count_; }
    int frame() const { return frame_; }
    bool playing() const;
    QSize minimumSizeHint() const override;

  public slots:
    void setFrame(int frame);
    void setPlaying(bool playing);

  signals:
    void frameChanged(int frame);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void drawIcons();
    void showButtons();

    QString noun_;
    QToolButton *first_, *previous_, *next_, *last_, *play_;
    QSlider* slider_;
    QSpinBox* number_;
    QTimer* timer_;
    int count_ = 0;
    int frame_ = 0;
};

}  // namespace ks::ui
