/// The tones of one material from its outline to where it shines.
///
/// Shadows turn a little towards blue and lights towards yellow, as they do under a sky.
struct ColorRamp: Hashable, Sendable {
  var outline: PixelColor
  var shade: PixelColor
  var base: PixelColor
  var light: PixelColor
  var shine: PixelColor

  /// The ramp about a middle tone.
  init(_ base: PixelColor) {
    let tone = Tone(base)
    outline = tone.turned(to: 250, by: 28).with(saturation: 1.1, value: 0.27).color
    shade = tone.turned(to: 250, by: 14).with(saturation: 1.14, value: 0.72, richer: 0.07).color
    self.base = base
    light = tone.turned(to: 55, by: 8).with(saturation: 0.82, value: 1.16).color
    shine = tone.turned(to: 55, by: 14).with(saturation: 0.5, value: 1.38).color
  }

  /// The ramp about a middle tone written as `0xRRGGBB`.
  init(rgb: UInt32) { self.init(PixelColor(rgb: rgb)) }

  /// The tone at `step`, 0 (shade) to 3 (shine).
  subscript(step: Int) -> PixelColor {
    switch step {
    case ...0: shade
    case 1: base
    case 2: light
    default: shine
    }
  }
}

extension PixelColor {
  /// The colour on the way to `other`, 0 for this one and 1 for the other.
  func mixed(with other: PixelColor, _ share: Double) -> PixelColor {
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8((Double(a) + (Double(b) - Double(a)) * min(max(share, 0), 1)).rounded())
    }
    return PixelColor(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  /// The colour with its saturation and value multiplied.
  func adjusted(saturation: Double, value: Double) -> PixelColor {
    Tone(self).with(saturation: saturation, value: value).color
  }

  /// How bright the colour looks, 0 to 1, by the weights of ITU-R BT.601.
  var luma: Double {
    (0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)) / 255
  }
}

/// A colour by hue (0 to 360), saturation and value (0 to 1).
private struct Tone {
  var hue: Double
  var saturation: Double
  var value: Double

  init(_ color: PixelColor) {
    let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
    let highest = max(channels[0], channels[1], channels[2])
    let range = highest - min(channels[0], channels[1], channels[2])
    value = highest
    saturation = highest == 0 ? 0 : range / highest
    if range == 0 {
      hue = 240
    } else if highest == channels[0] {
      hue = 60 * (channels[1] - channels[2]) / range
    } else if highest == channels[1] {
      hue = 60 * (channels[2] - channels[0]) / range + 120
    } else {
      hue = 60 * (channels[0] - channels[1]) / range + 240
    }
    if hue < 0 { hue += 360 }
  }

  /// Turns the hue by at most `degrees` to `target`, the shorter way round.
  func turned(to target: Double, by degrees: Double) -> Tone {
    var way = target - hue
    if way > 180 { way -= 360 }
    if way < -180 { way += 360 }
    var tone = self
    tone.hue += min(max(way, -degrees), degrees)
    if tone.hue < 0 { tone.hue += 360 }
    if tone.hue >= 360 { tone.hue -= 360 }
    return tone
  }

  func with(
    saturation factor: Double, value valueFactor: Double, richer: Double = 0
  ) -> Tone {
    var tone = self
    tone.saturation = min(saturation * factor + richer, 1)
    tone.value = min(value * valueFactor, 1)
    // What would be brighter than white turns paler instead.
    let excess = value * valueFactor - 1
    if excess > 0 { tone.saturation *= max(1 - excess * 1.5, 0.25) }
    return tone
  }

  var color: PixelColor {
    let sector = hue / 60
    let chroma = value * saturation
    let middle = chroma * (1 - abs(sector.truncatingRemainder(dividingBy: 2) - 1))
    let (red, green, blue): (Double, Double, Double) =
      switch Int(sector) {
      case 0: (chroma, middle, 0)
      case 1: (middle, chroma, 0)
      case 2: (0, chroma, middle)
      case 3: (0, middle, chroma)
      case 4: (middle, 0, chroma)
      default: (chroma, 0, middle)
      }
    func channel(_ part: Double) -> UInt8 {
      UInt8((min(max(part + value - chroma, 0), 1) * 255).rounded())
    }
    return PixelColor(red: channel(red), green: channel(green), blue: channel(blue))
  }
}
