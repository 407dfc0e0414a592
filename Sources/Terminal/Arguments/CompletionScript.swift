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

  /// The options of the program and of a command, which may stand before its operands.
  private func optionNames(_ command: any DescribedCommand) -> String {
    command.options.map(\.name).joined(separator: " ")
  }

  package func zsh() -> String {
    """
    #compdef \(program)
    _\(program)() {
      local command= index=2
      while (( index < CURRENT )); do
        case $words[index] in
          \(optionsWithValues)) (( index += 1 ));;
          -*) ;;
          *) command=$words[index]; break;;
        esac
        (( index += 1 ))
      done
      local -a options
      case $command in
        '') options=(\(globalOptions.map(\.name).joined(separator: " ")));;
    \(cases { "    \(([$0.name] + $0.aliases).joined(separator: "|"))) options=(\(optionNames($0)));;\n" })  esac
      if [[ -z $command && $PREFIX != -* ]]; then
        local -a commands
        commands=(
    \(cases { command in
      ([command.name] + command.aliases).map {
        "      '\($0):\(Self.quotable(command.summary))'\n"
      }.joined()
    })    )
        _describe 'command' commands
      fi
      if [[ $PREFIX == -* || -z $PREFIX ]]; then compadd -- $options; fi
      if [[ -n $command && $PREFIX != -* ]]; then _files; fi
    }
    if [[ $funcstack[1] == _\(program) ]]; then _\(program) "$@"; else compdef _\(program) \(program); fi

    """
  }

  package func fish() -> String {
    let names = commands.flatMap { [$0.name] + $0.aliases }.joined(separator: " ")
    let hasNone = "-n 'not __fish_seen_subcommand_from \(names)'"
    let heads = cases { command in
      ([command.name] + command.aliases).map {
        "complete -c \(program) -f \(hasNone) -a \($0) -d '\(Self.quotable(command.summary))'\n"
      }.joined()
    }
    let globals = globalOptions.map { fish($0, hasNone) }.joined()
    let options = cases { command in
      let all = ([command.name] + command.aliases).joined(separator: " ")
      return command.options.map { fish($0, "-n '__fish_seen_subcommand_from \(all)'") }.joined()
    }
    return heads + globals + options
  }

  private func fish(_ option: OptionDefinition, _ condition: String) -> String {
    var line = "complete -c \(program) \(condition) -l \(option.name.dropFirst(2))"
    if let short = option.short { line += " -s \(short.dropFirst())" }
    if !option.choices.isEmpty {
      line += " -x -a '\(option.choices.joined(separator: " "))'"
    } else if option.value != nil {
      line += " -r"
    }
    return line + " -d '\(Self.quotable(option.help))'\n"
  }

  /// A text that may stand between single quotes, and behind a colon of zsh.
  private static func quotable(_ text: String) -> String {
    String(text.filter { $0 != "'" && $0 != "\\" })
  }
}
