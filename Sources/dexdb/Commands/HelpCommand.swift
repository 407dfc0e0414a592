import Terminal

extension Command {
  static let help = Command(
    name: "help", operands: "[COMMAND|queries]", summary: "Show help about a command, or queries.",
    examples: [
      Example("dexdb help find", "a command"), Example("dexdb help queries", "the language"),
    ]
  ) { context in
    try context.checkOperandCount(0...1)
    switch context.arguments.operands.first {
    case nil: context.output.write(HelpText.overview())
    case "queries", "query": context.output.write(HelpText.queries)
    case let name?: context.output.write(HelpText.text(of: try Program.command(named: name)))
    }
  }

  static let completions = Command(
    name: "completions", operands: "bash|zsh|fish",
    summary: "Write a script that completes commands and options in a shell.",
    examples: [
      Example("dexdb completions bash >> ~/.bashrc", "for bash"),
      Example("dexdb completions fish > ~/.config/fish/completions/dexdb.fish", "for fish"),
    ]
  ) { context in
    try context.checkOperandCount(1...1)
    switch context.arguments.operands[0] {
    case "bash": context.output.write(CompletionScript.bash())
    case "zsh": context.output.write(CompletionScript.zsh())
    case "fish": context.output.write(CompletionScript.fish())
    case let shell:
      throw CommandFailure.usage("no completions for '\(shell)'", "one of bash, zsh, fish")
    }
  }
}

/// Scripts that complete the program's commands and options.
enum CompletionScript {
  private static func cases(_ line: (Command) -> String) -> String {
    Program.commands.map(line).joined()
  }

  private static var names: String {
    Program.commands.flatMap { [$0.name] + $0.aliases }.joined(separator: " ")
  }

  static func bash() -> String {
    """
    _dexdb() {
      local word=${COMP_WORDS[COMP_CWORD]} command= index=1
      while [ $index -lt $COMP_CWORD ]; do
        case ${COMP_WORDS[index]} in
          -f|--file|--color) index=$((index + 1));;
          -*) ;;
          *) command=${COMP_WORDS[index]}; break;;
        esac
        index=$((index + 1))
      done
      local words=
      case $command in
        '') words='\(names) \(Program.globalOptions.map(\.name).joined(separator: " "))';;
    \(cases { "    \(([$0.name] + $0.aliases).joined(separator: "|"))) words='\($0.options.map(\.name).joined(separator: " "))';;\n" })  esac
      case $word in
        -*|'') COMPREPLY=($(compgen -W "$words" -- "$word"));;
        *) if [ -z "$command" ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi;;
      esac
    }
    complete -F _dexdb dexdb

    """
  }

  static func zsh() -> String {
    """
    #compdef dexdb
    _dexdb() {
      local -a commands
      commands=(
    \(cases { "    '\($0.name):\($0.summary.filter { $0 != "'" })'\n" })  )
      if (( CURRENT == 2 )); then
        _describe 'command' commands
        return
      fi
      case $words[2] in
    \(cases { "    \($0.name)) compadd -- \($0.options.map(\.name).joined(separator: " "));;\n" })  esac
      _files
    }
    compdef _dexdb dexdb

    """
  }

  static func fish() -> String {
    let heads = cases {
      "complete -c dexdb -n __fish_use_subcommand -a \($0.name) -d '\($0.summary.filter { $0 != "'" })'\n"
    }
    let options = cases { command in
      command.options.map { option in
        "complete -c dexdb -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name.dropFirst(2))\(option.value == nil ? "" : " -r") -d '\(option.help.filter { $0 != "'" })'\n"
      }.joined()
    }
    return heads + options
  }
}
