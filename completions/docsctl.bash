# docsctl completion for bash. Put it into your bash-completion folder, or: source <(docsctl completion bash)
_docsctl() {
  local line value
  local current="${COMP_WORDS[COMP_CWORD]}"
  [ "$current" = "=" ] && current=""
  COMPREPLY=()
  while IFS= read -r line; do
    value="${line%%$'\t'*}"
    if [[ "$value" == "$current"* ]]; then
      COMPREPLY+=("$(printf '%q' "$value")")
    fi
  done < <(docsctl --no-input --timeout 2 --retries 0 __complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
}
complete -o bashdefault -o default -F _docsctl docsctl
