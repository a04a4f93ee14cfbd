#pragma once

#include <QString>
#include <QTransform>
#include <vector>

#include "core/data/geometry.h"

class QPainter;

namespace ks::ui {

/// Rings of constant q around the beam, labelled with q and d.
class RingLayer {
  public:
    /// @param rings empty: none; "q": round steps of q; otherwise the name of a calibrant
    /// @param farthest pixels from the beam to the farthest corner of the frame
    void set(const Geometry& geometry, const QString& rings, double farthest);
    const std::vector<double>& q() const { return q_; }
    void paint(QPainter& painter, const QTransform& imageToWidget) const;

  private:
    Geometry geometry_;
    std::vector<double> q_;
};

}  // namespace ks::ui
