/// `text` in quotation marks, with everything escaped that could act on a terminal or mislead a
/// reader: control characters, line ends, and marks that change the direction of writing.
func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": quoted += "\\" + String(scalar)
    case _ where isPlain(scalar): quoted.unicodeScalars.append(scalar)
    default: quoted += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }
  return quoted + "\""
}

private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
    .paragraphSeparator:
    false
  default: true
  }
}
