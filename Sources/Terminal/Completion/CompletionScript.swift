internal import Entities

/// Scripts for shells that complete what is written behind the program's name.
///
/// They ask the program itself, by its command `complete`, and only put the answer as the shell
/// wants it.
package struct CompletionScript {
  package static let shells = ["bash", "zsh", "fish"]

  private let program: String

  package init(program: String) { self.program = program }

  /// The script for the shell of that name.
  package func text(for shell: String) throws -> String {
    switch shell {
    case "bash": bash()
    case "zsh": zsh()
    case "fish": fish()
    default:
      throw CommandFailure.usage(
        "no completions for '\(shell)'", help: NearestName.help(for: shell, among: Self.shells))
    }
  }

  /// Bash puts what it is given into the line as it stands, and a name may hold what would then
  /// run; so all is quoted for where it goes.
  ///
  /// Bash also cuts words at colons and the like; the script puts them together, and gives only
  /// what stands behind the last cut or the quotation mark that is open.
  private func bash() -> String { bashWords() + bashCompletion() }

  /// Functions that take the quotes from a word, and put them around a candidate.
  private func bashWords() -> String {
    #"""
    # Sets plain to what the shell takes the word $1 for, open to the quotation mark that nothing
    # closes, and head to what stands before that mark, or before place $2 where there is none.
    # Fails for a word in which more stands than quotes.
    __\#(program)_read() {
      local char next index=0 opened=
      plain= open= head=
      if [[ $1 == '~' || $1 == '~/'* ]]; then plain=$HOME index=1; fi
      for (( ; index < ${#1}; index++)); do
        char=${1:index:1} next=${1:index+1:1}
        if ((index == $2)); then head=$plain; fi
        case $open$char in
          "''" | '""') open= ;;
          "'"?) plain+=$char ;;
          "'" | '"') open=$char opened=$plain ;;
          *\\)
            if [[ -n $open && $next != [\$\`\"\\] ]]; then
              plain+=$char
            else
              plain+=$next index=$((index + 1))
            fi ;;
          *\`) return 1 ;;
          *\$)
            if [[ $next == [\(\{\'] ]]; then return 1; fi
            plain+=$char ;;
          *) plain+=$char ;;
        esac
      done
      if [[ -n $open ]]; then head=$opened; elif ((${#1} <= $2)); then head=$plain; fi
    }
    # Sets text to itself as it has to stand behind the quotation mark open, or behind none.
    __\#(program)_quote() {
      local char index written=
      if [[ -z $open ]]; then
        if [[ $text == *[!-a-zA-Z0-9_.,:=/+%@]* ]]; then printf -v text %q "$text"; fi
        return
      fi
      for ((index = 0; index < ${#text}; index++)); do
        char=${text:index:1}
        case $open$char in
          "''") written+="'\\''" ;;
          '"!') written+='"\!"' ;;
          '"'[\$\`\"\\]) written+=\\$char ;;
          *) written+=$char ;;
        esac
      done
      text=$written
      # Bash closes no quotes behind what looks as if it had closed them.
      if [[ $text == *"$open" ]]; then text+=$open; fi
    }

    """#
  }

  private func bashCompletion() -> String {
    #"""
    _\#(program)() {
      local rest=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]/#\~/$HOME} piece index
      local -a words=() plains=()
      COMPREPLY=()
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
      local current=$piece line text end plain open head
      if [[ $current == [:=\<\>@]* ]]; then current=; fi
      for piece in "${words[@]}"; do
        if __\#(program)_read "$piece" $((${#piece} - ${#current})); then
          plains+=("$plain")
        elif ((${#plains[@]} + 1 < ${#words[@]})); then
          plains+=("$piece")
        else
          return
        fi
      done
      type -P -- "$program" >/dev/null || program=\#(program)
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          compopt -o filenames +o nospace 2>/dev/null
          while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -f -- "$current")
          continue
        fi
        text=${line%%$'\t'*} end=
        if [[ $text == *' ' ]]; then text=${text% } end=' '; fi
        line=${text:0:${#head}}
        if [[ ${line,,} != "${head,,}" ]]; then continue; fi
        text=${text:${#head}}
        __\#(program)_quote
        if [[ -n $open ]]; then end=; fi
        COMPREPLY+=("$text$end")
      done < <("$program" complete -- "${plains[@]}" 2>/dev/null)
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
      done < <("$program" complete -- "${(@Q)words[2,CURRENT-1]/#\~\//${(q)HOME}/}" "${(Q)PREFIX}" 2>/dev/null)
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
        set -l before
        for word in $words[2..-1]
            set -a before (string replace -r '^~/' $HOME/ -- $word)
        end
        set -l token (commandline -ct)
        set -l current (string unescape -- "$token"; or string unescape -- "$token"\"; or string unescape -- "$token"\')
        set -l program (string replace -r '^~' $HOME -- $words[1])
        type -q -- $program; or set program \#(program)
        for line in ($program complete -- $before $current 2>/dev/null)
            if test "$line" = :files
                __fish_complete_path $current
            else
                # Fish drops what does not go on with the word, such as a quotation mark before it.
                string match -q '*"*' -- $current
                or set line (string replace -r '(^|[ (-])([\w.]+[:=]+)"([\p{L}\p{N}]+)' '$1$2$3"' -- $line)
                string replace -r ' \t' \t -- $line
            end
        end
    end
    complete -c \#(program) -f -a '(__\#(program)_complete)'

    """#
  }
}
