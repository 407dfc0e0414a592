/// A name that records have, and what a list may say of it.
package struct KnownName: Hashable {
  package var text: String
  /// What the record is called otherwise; empty where there is nothing to say.
  package var help: String

  package init(_ text: String, help: String = "") {
    self.text = text
    self.help = help
  }
}
