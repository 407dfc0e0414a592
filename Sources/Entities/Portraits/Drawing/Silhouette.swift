/// A flat shape, known by how far each point is from its edge.
///
/// Invariant: `distance` is negative inside, zero on the edge, positive outside, and near the edge
/// about the distance in pixels.
struct Silhouette: Sendable {
  let distance: @Sendable (CanvasPoint) -> Double

  init(_ distance: @escaping @Sendable (CanvasPoint) -> Double) { self.distance = distance }

  /// An ellipse about (`x`, `y`), whose first radius lies along the direction `axis`.
  ///
  /// - Source: the usual first-order estimate, k₀(k₀ − 1)/k₁ with the point scaled by the radii
  ///   once and twice.
  static func ellipse(
    _ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double,
    axis: CanvasPoint = CanvasPoint(1, 0)
  ) -> Silhouette {
    let unit = axis * (1 / axis.length)
    return Silhouette { point in
      let from = point - CanvasPoint(x, y)
      let along = CanvasPoint(from.dot(unit), from.dot(CanvasPoint(-unit.y, unit.x)))
      let once = CanvasPoint(along.x / radiusX, along.y / radiusY).length
      let twice = CanvasPoint(along.x / (radiusX * radiusX), along.y / (radiusY * radiusY)).length
      return twice == 0 ? -min(radiusX, radiusY) : once * (once - 1) / twice
    }
  }

  /// A rounded limb between two points, with a radius of its own at each.
  static func limb(
    _ x0: Double, _ y0: Double, _ radius0: Double, _ x1: Double, _ y1: Double, _ radius1: Double
  ) -> Silhouette {
    let start = CanvasPoint(x0, y0)
    let way = CanvasPoint(x1, y1) - start
    let squared = max(way.dot(way), 0.0001)
    return Silhouette { point in
      let from = point - start
      let share = min(max(from.dot(way) / squared, 0), 1)
      return (from - way * share).length - (radius0 + (radius1 - radius0) * share)
    }
  }

  /// A polygon, its corners as x and y in turn, rounded by `rounding`.
  static func polygon(_ corners: [Double], rounding: Double = 0) -> Silhouette {
    let points = stride(from: 0, to: corners.count, by: 2).map {
      CanvasPoint(corners[$0], corners[$0 + 1])
    }
    return Silhouette { point in
      var nearest = Double.infinity
      var isInside = false
      var last = points[points.count - 1]
      for next in points {
        let side = next - last
        let from = point - last
        let share = min(max(from.dot(side) / max(side.dot(side), 0.0001), 0), 1)
        nearest = min(nearest, (from - side * share).length)
        if (last.y > point.y) != (next.y > point.y),
          point.x < last.x + (point.y - last.y) / (next.y - last.y) * side.x
        {
          isInside.toggle()
        }
        last = next
      }
      return (isInside ? -nearest : nearest) - rounding
    }
  }

  /// All that is in any of `parts`.
  static func union(_ parts: [Silhouette]) -> Silhouette {
    Silhouette { point in parts.reduce(Double.infinity) { min($0, $1.distance(point)) } }
  }

  /// What is in any of `parts`, with hollows between them filled in about `softness` pixels wide.
  static func blend(_ softness: Double, _ parts: [Silhouette]) -> Silhouette {
    Silhouette { point in
      parts.reduce(Double.infinity) { result, part in
        let distance = part.distance(point)
        guard result < .infinity else { return distance }
        let overlap = max(softness - abs(result - distance), 0) / softness
        return min(result, distance) - overlap * overlap * softness / 4
      }
    }
  }

  /// What is also in `other`.
  func within(_ other: Silhouette) -> Silhouette {
    Silhouette { point in max(self.distance(point), other.distance(point)) }
  }

  /// What is not in `other`.
  func without(_ other: Silhouette) -> Silhouette {
    Silhouette { point in max(self.distance(point), -other.distance(point)) }
  }

  /// The shape with its edge moved outward by `width` pixels.
  func grown(by width: Double) -> Silhouette {
    Silhouette { point in self.distance(point) - width }
  }

  /// The shape moved.
  func moved(_ x: Double, _ y: Double) -> Silhouette {
    Silhouette { point in self.distance(point - CanvasPoint(x, y)) }
  }

  /// The shape grown by a factor from the point (`x`, `y`), which stays where it is.
  func scaled(_ factor: Double, about x: Double, _ y: Double) -> Silhouette {
    let fixed = CanvasPoint(x, y)
    return Silhouette { point in
      self.distance(fixed + (point - fixed) * (1 / factor)) * factor
    }
  }

  /// The half to the right of `axis`, and its mirror image to the left.
  func mirrored(at axis: Double) -> Silhouette {
    Silhouette { point in self.distance(CanvasPoint(axis + abs(point.x - axis), point.y)) }
  }
}
