/// Scripts for shells that complete what is written behind the program's name.
///
/// They ask the program itself, by its command `complete`, and only put the answer as the shell
/// wants it.
package struct CompletionScript {
  private let program: String

  package init(program: String) { self.program = program }

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

  /// Bash cuts words at colons and the like; the script puts them together, and gives only what
  /// stands behind the last cut.
  private func bash() -> String {
    #"""
    _\#(program)() {
      local rest=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]/#\~/$HOME} piece index
      local -a words=()
      rest=${rest#*"${COMP_WORDS[0]}"}
      for ((index = 1; index <= COMP_CWORD; index++)); do
        piece=${COMP_WORDS[index]}
        if [[ $rest == [[:space:]]* || ${#words[@]} -eq 0 ]]; then
          rest=${rest#"${rest%%[![:space:]]*}"}
          words+=('')
        fi
        if [[ $rest != "$piece"* ]]; then piece=$rest; fi
        words[${#words[@]}-1]+=$piece
        rest=${rest#"$piece"}
      done
      local last=${words[${#words[@]}-1]} current=$piece
      if [[ $current == [:=\<\>]* ]]; then current=; fi
      local before=${last%"$current"} line text end
      if [[ $before == *[\"\']* && $before != *[:=\<\>]* ]]; then before=; fi
      type -P -- "$program" >/dev/null || program=\#(program)
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          compopt -o filenames +o nospace 2>/dev/null
          while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -f -- "$current")
          continue
        fi
        text=${line%%$'\t'*} end=
        if [[ $text == *' ' ]]; then text=${text% } end=' '; fi
        text=${text#"$before"}
        if [[ $last == [\"\']* ]]; then
          end=
        elif [[ $text == *[!-a-zA-Z0-9_.,:=/+#%@]* && $text != *[!\ -~]* ]]; then
          printf -v text %q "$text"
        fi
        COMPREPLY+=("$text$end")
      done < <("$program" complete --quoted -- "${words[@]}" 2>/dev/null)
    }
    complete -o nospace -F _\#(program) \#(program)

    """#
  }

  private func zsh() -> String {
    #"""
    #compdef \#(program)
    _\#(program)() {
      local line text help program=${~words[1]}
      local -a whole open wholeHelp openHelp
      local wantsFiles=
      if ! whence -p -- $program >/dev/null; then program=\#(program); fi
      while IFS= read -r line; do
        if [[ $line == :files ]]; then wantsFiles=1; continue; fi
        text=${line%%$'\t'*} help=${line#*$'\t'}
        if [[ $text == *' ' ]]; then
          whole+=("${text% }") wholeHelp+=("${text% }${help:+  -- $help}")
        else
          open+=("$text") openHelp+=("$text${help:+  -- $help}")
        fi
      done < <("$program" complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
      if (( $#whole )); then compadd -U -l -d wholeHelp -a whole; fi
      if (( $#open )); then compadd -U -S '' -d openHelp -a open; fi
      if [[ -n $wantsFiles ]]; then _files; fi
    }
    if [[ $funcstack[1] == _\#(program) ]]; then _\#(program) "$@"; else compdef _\#(program) \#(program); fi

    """#
  }

  private func fish() -> String {
    #"""
    function __\#(program)_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct | string replace -r '^[\'"]' '')
        set -l program (string replace -r '^~' $HOME -- $words[1])
        type -q -- $program; or set program \#(program)
        for line in ($program complete -- $words[2..-1] $current 2>/dev/null)
            if test "$line" = :files
                __fish_complete_path $current
            else
                string replace -r ' \t' \t -- $line
            end
        end
    end
    complete -c \#(program) -f -a '(__\#(program)_complete)'

    """#
  }
}
