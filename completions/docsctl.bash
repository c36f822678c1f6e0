# docsctl completion for bash. Put it into your bash-completion folder, or: source <(docsctl completion bash)
# Removes the quotes of a word. Sets `plain`, `quote` to a quote that is still open, and `kept` to what is before the last quote.
_docsctl_unquote() {
  local word="$1" char i
  plain="" quote="" kept=""
  for ((i = 0; i < ${#word}; i++)); do
    char="${word:i:1}"
    if [[ "$char" == "$quote" ]]; then
      quote="" kept="$plain"
    elif [[ -z "$quote" && "$char" == [\"\'] ]]; then
      quote="$char" kept="$plain"
    elif [[ "$char" == \\ && "$quote" != \' ]]; then
      # In double quotes, a backslash is literal unless a special character follows.
      [[ -n "$quote" && "${word:i+1:1}" != [\"\\\$\`] ]] && plain+="$char"
      plain+="${word:i+1:1}"
      ((i++))
    else
      plain+="$char"
    fi
  done
}
# Quotes a value for the place of the cursor. Sets `value`.
_docsctl_quote() {
  value="$1"
  case "$quote" in
    \')
      # readline removes a quote at the start if there is one before the cursor.
      [[ "$value" == \'* ]] && value="${value//\'/\'\\\'\'}" && value="'$value" && return
      value="${value//\'/\'\\\'\'}"
      ;;
    \")
      value="${value//\\/\\\\}"
      value="${value//\"/\\\"}"
      value="${value//\$/\\\$}"
      value="${value//\`/\\\`}"
      # A history reference cannot be escaped in double quotes.
      value="${value//!/\"\\!\"}"
      ;;
    # Commas and the like mean nothing to bash, but %q would quote them.
    *) [[ "$value" == *[!A-Za-z0-9_.,/:=@+-]* ]] && printf -v value '%q' "$value" ;;
  esac
}
_docsctl() {
  local IFS=$' \t\n' tab=$'\t' rest="${COMP_LINE:0:COMP_POINT}" words=() word begun="" line value title paths="" behind="" cut i plain quote kept
  # bash takes words apart at = : and @, which mean nothing to docsctl: what stands together belongs together.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    if [[ $i -eq 0 || "$rest" == [[:space:]]* ]]; then
      rest="${rest#"${rest%%[![:space:]]*}"}"
      words+=("")
    fi
    [[ $i -eq COMP_CWORD ]] && word="$rest"
    words[${#words[@]}-1]+="$word"
    rest="${rest#"$word"}"
  done
  # Of the word, readline replaces only what stands behind the last place where it is taken apart.
  _docsctl_unquote "${COMP_WORDS[COMP_CWORD]}"
  word="$plain"
  for i in "${!words[@]}"; do
    _docsctl_unquote "${words[i]}"
    words[i]="$plain"
  done
  begun="$plain"
  cut="${begun%"$word"}"
  [[ "$word" == [=:@] ]] && cut="$begun"
  # That place is before an @, and behind the other signs.
  cut="${cut%@}"
  # A quote is such a place, too.
  [[ ${#kept} -gt ${#cut} ]] && cut="$kept"
  local values=() shown=()
  while IFS= read -r line; do
    value="${line%%"$tab"*}"
    title="${line#*"$tab"}"
    if [[ -z "$value" ]]; then
      paths="${title%%"$tab"*}"
      behind="${title#"$paths"}"
      behind="${behind#"$tab"}"
    elif [[ "$value" == "$begun"* ]]; then
      _docsctl_quote "${value#"$cut"}"
      values+=("$value")
      shown+=("$value${title:+  ($title)}")
    fi
  done < <(docsctl --no-input --timeout 1 --retries 0 __complete --begun="$begun" -- "${words[@]:1:${#words[@]}-2}" 2>/dev/null </dev/null)
  if [[ ${#values[@]} -gt 1 && "${COMP_TYPE:-9}" -eq 63 ]]; then
    # Only listed: with the titles.
    COMPREPLY=("${shown[@]}")
  else
    COMPREPLY=("${values[@]}")
  fi
  # What stands before an equals sign goes on.
  [[ ${#values[@]} -gt 0 && "${values[0]}" == *= ]] && compopt -o nospace 2>/dev/null
  if [[ -n "$paths" ]]; then
    i=f
    [[ "$paths" == folders ]] && i=d && compopt -o nospace 2>/dev/null
    # Of a file name bash would quote the @ too.
    [[ "${behind#"$cut"}" == @ ]] || compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
      if [[ "${behind#"$cut"}" == @ ]]; then
        [[ -d "$line" ]] && line+=/ && compopt -o nospace 2>/dev/null
        _docsctl_quote "$line"
        line="$value"
      fi
      line="$behind$line"
      COMPREPLY+=("${line#"$cut"}")
    done < <(compgen -$i -- "${begun#"$behind"}")
  fi
}
complete -F _docsctl docsctl
