/// Commands of other databases' shells, and how this one does the same.
enum ForeignCommand {
  /// What to write instead of `.name`; nil where nothing is known of it.
  static func help(with name: String) -> [String]? { all[name.lowercased()].map { [$0] } }

  private static let all = [
    "completions": "in your own shell: dexdb completions bash, zsh or fish",
    "shell": ".quit leaves this one",
    "system": "Ctrl-Z stops the shell for a while, and fg goes on", "sh": "Ctrl-Z, and fg goes on",
    "headers": ".find --no-header leaves the names of columns out",
    "header": ".find --no-header leaves the names of columns out",
    "separator": ".mode csv or .mode tsv", "nullvalue": ".mode json tells null from empty",
    "width": "tables fit the screen; show:name,type chooses columns",
    "databases": ".stats describes the file", "dbinfo": ".stats describes the file",
    "indexes": ".schema pokemon shows the indexes", "indices": ".schema pokemon shows the indexes",
    "fields": ".schema pokemon shows the fields", "columns": ".schema pokemon shows the fields",
    "describe": ".schema pokemon shows the fields", "d": ".tables, and .schema pokemon",
    "dt": ".tables lists the entities", "entities": ".tables lists the entities",
    "save": ".backup FILE copies the database", "clone": ".backup FILE copies the database",
    "vacuum": ".compact makes the file smaller", "bail": "scripts always stop at an error",
    "source": ".read FILE runs the lines of a file", "i": ".read FILE runs the lines of a file",
    "run": ".read FILE runs the lines of a file", "x": ".mode line shows a field a line",
    "o": ".output FILE sends what follows into a file", "excel": ".once rows.csv and then the line",
    "update": ".set --where 'from:adv name=ana' level=2", "insert": ".add name=Ana class=Wizard",
    "drop": ".delete --where QUERY", "select": "a line without a dot is a search",
    "history": "the arrow keys, and Ctrl-R to search", "changes": ".set and .delete say how many",
    "recover": ".salvage OUT saves what can be read", "integrity_check": ".check",
    "prompt": "the prompt stays as it is", "echo": "'-- ' begins a comment",
    "print": "'-- ' begins a comment", "log": ".stats describes the log",
  ]
}
