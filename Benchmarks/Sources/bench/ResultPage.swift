struct ResultPage {
  var lines: [ResultLine]
  var circumstances: Circumstances
  var text: String { "" }
}
