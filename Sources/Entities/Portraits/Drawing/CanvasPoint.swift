/// A place or a direction on a canvas: x to the right, y down, in pixels.
///
/// Only sums, products and square roots are taken of it, so that every machine draws the same.
struct CanvasPoint: Hashable, Sendable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  var length: Double { (x * x + y * y).squareRoot() }

  static func + (a: CanvasPoint, b: CanvasPoint) -> CanvasPoint {
    CanvasPoint(a.x + b.x, a.y + b.y)
  }

  static func - (a: CanvasPoint, b: CanvasPoint) -> CanvasPoint {
    CanvasPoint(a.x - b.x, a.y - b.y)
  }

  static func * (a: CanvasPoint, factor: Double) -> CanvasPoint {
    CanvasPoint(a.x * factor, a.y * factor)
  }

  func dot(_ other: CanvasPoint) -> Double { x * other.x + y * other.y }
}
