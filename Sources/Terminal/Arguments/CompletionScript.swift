/// Scripts that complete the program's commands and options.
package struct CompletionScript {
  let program: String
  let commands: [any DescribedCommand]
  let globalOptions: [OptionDefinition]

  package init(
    program: String, commands: [any DescribedCommand], globalOptions: [OptionDefinition]
  ) {
    self.program = program
    self.commands = commands
    self.globalOptions = globalOptions
  }

  private func cases(_ line: (any DescribedCommand) -> String) -> String {
    commands.map(line).joined()
  }

  private var names: String {
    commands.flatMap { [$0.name] + $0.aliases }.joined(separator: " ")
  }

  /// The options before the command that take a value, as a pattern of the shell.
  private var optionsWithValues: String {
    globalOptions.filter { $0.value != nil }.flatMap { [$0.short, $0.name].compactMap { $0 } }
      .joined(separator: "|")
  }

  /// The script for the shell of that name.
  package func text(for shell: String) throws -> String {
    switch shell {
    case "bash": bash()
    case "zsh": zsh()
    case "fish": fish()
    default:
      throw CommandFailure.usage("no completions for '\(shell)'", "one of bash, zsh, fish")
    }
  }

  package func bash() -> String {
    """
    _\(program)() {
      local word=${COMP_WORDS[COMP_CWORD]} command= index=1
      while [ $index -lt $COMP_CWORD ]; do
        case ${COMP_WORDS[index]} in
          \(optionsWithValues)) index=$((index + 1));;
          -*) ;;
          *) command=${COMP_WORDS[index]}; break;;
        esac
        index=$((index + 1))
      done
      local words=
      case $command in
        '') words='\(names) \(globalOptions.map(\.name).joined(separator: " "))';;
    \(cases { "    \(([$0.name] + $0.aliases).joined(separator: "|"))) words='\($0.options.map(\.name).joined(separator: " "))';;\n" })  esac
      case $word in
        -*|'') COMPREPLY=($(compgen -W "$words" -- "$word"));;
        *) if [ -z "$command" ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi;;
      esac
    }
    complete -F _\(program) \(program)

    """
  }

  package func zsh() -> String {
    """
    #compdef \(program)
    _\(program)() {
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
    compdef _\(program) \(program)

    """
  }

  package func fish() -> String {
    let heads = cases {
      "complete -c \(program) -n __fish_use_subcommand -a \($0.name) -d '\($0.summary.filter { $0 != "'" })'\n"
    }
    let options = cases { command in
      command.options.map { option in
        "complete -c \(program) -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name.dropFirst(2))\(option.value == nil ? "" : " -r") -d '\(option.help.filter { $0 != "'" })'\n"
      }.joined()
    }
    return heads + options
  }
}
