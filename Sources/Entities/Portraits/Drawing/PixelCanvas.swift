/// A small canvas on which solid-looking parts are painted, each over those before.
///
/// A part is lit as if it bulged out of the canvas, in four tones, and has an outline one pixel
/// wide: dark where it borders on nothing, softer where it borders on another part.
struct PixelCanvas {
  let width: Int
  let height: Int
  private(set) var pixels: [PixelColor]
  /// Where a part was painted, backdrops not counted.
  private var isInked: [Bool]
  /// Where the light comes from: to the left, up and out of the canvas, of length 1.
  private let light: (x: Double, y: Double, z: Double)

  /// How a part looks.
  struct Paint {
    var ramp: ColorRamp
    /// How far from the edge the bulge reaches, in pixels; small values leave the middle flat.
    var roundness = 9.0
    var outline = Outline.full
    /// Whether tones meet in a checkered row.
    var isDithered = false
    /// Added to the brightness before it is cut into tones.
    var lift = 0.0
    /// The part whose bulge this one shares, such as the body below a pattern.
    var relief: Silhouette?

    init(
      _ ramp: ColorRamp, roundness: Double = 9, outline: Outline = .full, isDithered: Bool = false,
      lift: Double = 0, relief: Silhouette? = nil
    ) {
      self.ramp = ramp
      self.roundness = roundness
      self.outline = outline
      self.isDithered = isDithered
      self.lift = lift
      self.relief = relief
    }
  }

  enum Outline {
    case full
    /// In the tone of the shade, also where the part borders on nothing.
    case soft
    case none
  }

  /// An empty canvas, lit from above, and from the left too unless it must stay symmetrical.
  init(width: Int, height: Int, isLitFromLeft: Bool) {
    self.width = width
    self.height = height
    pixels = Array(repeating: .clear, count: width * height)
    isInked = Array(repeating: false, count: width * height)
    light = isLitFromLeft ? (-0.46, -0.56, 0.69) : (0, -0.68, 0.733)
  }

  /// The picture as it is now.
  var portrait: Portrait { Portrait(trusted: pixels, width: width, height: height) }

  /// The colour at a place, or nil outside of the canvas.
  subscript(column: Int, row: Int) -> PixelColor? {
    guard (0..<width).contains(column), (0..<height).contains(row) else { return nil }
    return pixels[row * width + column]
  }

  /// Colours one pixel; outside of the canvas nothing.
  mutating func set(_ column: Int, _ row: Int, _ color: PixelColor) {
    guard (0..<width).contains(column), (0..<height).contains(row) else { return }
    pixels[row * width + column] = color
    isInked[row * width + column] = true
  }

  /// Fills a shape with one colour behind all parts to come.
  mutating func fillBackdrop(_ color: PixelColor, _ silhouette: Silhouette) {
    for row in 0..<height {
      for column in 0..<width where silhouette.distance(center(column, row)) < 0 {
        pixels[row * width + column] = color
      }
    }
  }

  /// Colours one pixel of the backdrop or the frame, which parts do not take for one of them.
  mutating func fillPixel(_ column: Int, _ row: Int, _ color: PixelColor) {
    pixels[row * width + column] = color
  }

  /// Paints a part.
  mutating func paint(_ silhouette: Silhouette, _ paint: Paint) {
    let distances = distances(of: silhouette)
    let stride = width + 2
    for row in 0..<height {
      for column in 0..<width {
        let place = (row + 1) * stride + column + 1
        guard distances[place] < 0 else { continue }
        let around = [place - 1, place - stride, place + 1, place + stride]
        let outside = around.filter { distances[$0] >= 0 }
        if !outside.isEmpty && paint.outline != .none {
          let isFree = outside.contains { !isInked(atPadded: $0) }
          pixels[row * width + column] = edgeTone(paint, isFree: isFree)
          continue
        }
        let isCorner = paint.outline != .none && isCorner(place, distances, stride)
        let step = tone(at: column, row, of: silhouette, paint) - (isCorner ? 1 : 0)
        pixels[row * width + column] = paint.ramp[step]
      }
    }
    for row in 0..<height {
      for column in 0..<width where distances[(row + 1) * stride + column + 1] < 0 {
        isInked[row * width + column] = true
      }
    }
  }

  /// Lays `stamp` with its top left corner at a place; characters without a colour leave what is.
  mutating func stamp(
    _ stamp: PixelStamp, atColumn left: Int, row top: Int, colors: [Character: PixelColor],
    isMirrored: Bool = false
  ) {
    for (row, line) in stamp.rows.enumerated() {
      for (column, character) in line.enumerated() {
        guard let color = colors[character] else { continue }
        set(left + (isMirrored ? line.count - 1 - column : column), top + row, color)
      }
    }
  }

  private func center(_ column: Int, _ row: Int) -> CanvasPoint {
    CanvasPoint(Double(column) + 0.5, Double(row) + 0.5)
  }

  /// How far each pixel's middle is from the shape, with one pixel more on all sides.
  private func distances(of silhouette: Silhouette) -> [Double] {
    var distances: [Double] = []
    distances.reserveCapacity((width + 2) * (height + 2))
    for row in -1...height {
      for column in -1...width { distances.append(silhouette.distance(center(column, row))) }
    }
    return distances
  }

  private func isInked(atPadded place: Int) -> Bool {
    let row = place / (width + 2) - 1
    let column = place % (width + 2) - 1
    guard (0..<width).contains(column), (0..<height).contains(row) else { return false }
    return isInked[row * width + column]
  }

  private func edgeTone(_ paint: Paint, isFree: Bool) -> PixelColor {
    if paint.outline == .soft { return paint.ramp.shade }
    return isFree ? paint.ramp.outline : paint.ramp.outline.mixed(with: paint.ramp.shade, 0.5)
  }

  /// True where the outline turns a corner about the pixel, which one softens by hand.
  private func isCorner(_ place: Int, _ distances: [Double], _ stride: Int) -> Bool {
    func isEdge(_ place: Int) -> Bool {
      guard distances[place] < 0, place > stride, place + stride < distances.count else {
        return false
      }
      return [place - 1, place - stride, place + 1, place + stride].contains {
        distances[$0] >= 0
      }
    }
    return (isEdge(place - 1) || isEdge(place + 1))
      && (isEdge(place - stride) || isEdge(place + stride))
  }

  /// The tone of a pixel by how much its part faces the light there, 0 (shade) to 3 (shine).
  private func tone(
    at column: Int, _ row: Int, of silhouette: Silhouette, _ paint: Paint
  ) -> Int {
    let relief = paint.relief ?? silhouette
    let point = center(column, row)
    let depth = -relief.distance(point)
    let across =
      relief.distance(point + CanvasPoint(0.5, 0)) - relief.distance(point - CanvasPoint(0.5, 0))
    let down =
      relief.distance(point + CanvasPoint(0, 0.5)) - relief.distance(point - CanvasPoint(0, 0.5))
    let slope = 1 - min(max(depth / paint.roundness, 0), 1)
    let length = max(CanvasPoint(across, down).length, 0.001)
    let rise = max(1 - slope * slope, 0).squareRoot()
    var brightness = light.x * across / length * slope + light.y * down / length * slope
    brightness += light.z * rise + paint.lift
    if paint.isDithered {
      // The pattern counts from the middle, so that a symmetrical part stays symmetrical.
      let fromMiddle = column * 2 < width ? width - 1 - column : column
      brightness += (fromMiddle + row) % 2 == 0 ? 0.06 : -0.06
    }
    return brightness < 0.3 ? 0 : brightness < 0.78 ? 1 : brightness < 0.955 ? 2 : 3
  }
}
