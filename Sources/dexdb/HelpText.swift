import Terminal

/// The help of the program, of its commands and of the language.
enum HelpText {
  /// What there is help about beside the commands.
  static let topics = ["queries"]

  static func overview() -> String {
    var text = """
      \(Program.name): a Pokédex and a roster of adventurers in one file

      usage: \(Program.name) [-f FILE] [OPTIONS] COMMAND …

      commands:

      """
    text += CommandHelp.list(Program.commands)
    text += "\noptions, anywhere before `--`:\n" + CommandHelp.options(Program.globalOptions)
    text += """

      to begin:
        dexdb init                        make a database with the whole Pokédex
        dexdb find t:fire t:flying        who is of both types
        dexdb show pikachu                one Pokémon with its portrait
        dexdb help COMMAND                more about a command
        dexdb help queries                the language of find

      exit codes: 0 done, 1 failed or not found, 2 usage, 3 damaged file, 4 locked

      """
    return text
  }

  static func text(of command: Command) -> String {
    CommandHelp.text(of: command, program: Program.name)
  }

  static let queries = """
    A query is one line; terms side by side must all hold.

      pik                 names with a word that begins so, in any of 12 languages
      *saur*              a part of a word; *chu is an end of one, also behind name: or class:
      "mr. mi"            names that begin so
      #25                 by number
      t:fire t:flying     has both types (t:fire/flying says the same)
      t=water             exactly these types
      -t:flying           not
      t:fire OR t:ice     either; use ( ) to group
      spe>=100  hp!=50    = != < <= > >=
      bst:525..540        a range, with both ends; spe:100.. has one
      atk>spa             fields compared
      hp+def+spd>=300     sums compared
      weak:ice            damage above 1; resists: below 1, with 0; immune: 0
      takes.ice>=4        the multiplier itself
      family:eevee        its evolution line
      is:final            is: legendary mythical baby final mono dual
      has:evolution       has: portrait evolution, or a field that has a value
      color!=red          the complement of color=red

    Fields of a Pokémon: name type id gen hp atk def spa spd spe bst height (m) weight (kg) stage
    family ability egg color shape habitat weak resists immune takes.TYPE, and every column that
    dexdb schema lists. Match-ups follow the newest chart and ignore abilities. A missing value
    fails every comparison; '-' before a term is its true complement, and so is != of names and
    texts.

    How to answer:

      from:adventurers    another entity; any start will do: from:adv
      sort:-bst,name      in that order; '-' for descending; missing values come last
      limit:10 offset:20  a page
      show:name,type,spe  these columns
      group:type          counts; a Pokémon with two types counts in both
      show:count,avg.bst  with group:, also min. max. sum. (without show: key and count)
      lang:en             names of one language

    Without sort:, names that begin with the searched text come first, then the smaller number.
    In a shell, put quotes around a query that has ( ) < > ! or ".

    """
}
