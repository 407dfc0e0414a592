/// Keeps a line of text from doing anything to a terminal but appear there.
package struct TerminalText {}
