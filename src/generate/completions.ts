/** What each shell runs to ask docsctl: quiet, quick, and never a question. The word at the cursor follows, then those before it. */
const ask = 'docsctl --no-input --timeout 1 --retries 0 __complete';

// Nothing here is evaluated, and what the service says is never expanded. A line without a word names what paths are meant.
const bash = `# docsctl completion for bash. Put it into your bash-completion folder, or: source <(docsctl completion bash)
_docsctl() {
  local IFS=$' \\t\\n' tab=$'\\t' rest="\${COMP_LINE:0:COMP_POINT}" words=() word begun="" line value title cut i
  # bash takes words apart at = : and @, which mean nothing to docsctl: what stands together belongs together.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $i -eq 0 || "$rest" == [[:space:]]* ]]; then
      rest="\${rest#"\${rest%%[![:space:]]*}"}"
      words+=("")
    fi
    [[ $i -eq COMP_CWORD ]] && word="$rest"
    words[\${#words[@]}-1]+="$word"
    rest="\${rest#"$word"}"
  done
  for i in "\${!words[@]}"; do
    word="\${words[i]}"
    word="\${word//[\\"\\'\\\\]/}"
    words[i]="$word"
  done
  begun="\${words[\${#words[@]}-1]}"
  # Of the word, readline replaces only what stands behind the last place where it is taken apart.
  word="\${COMP_WORDS[COMP_CWORD]}"
  word="\${word//[\\"\\'\\\\]/}"
  cut="\${begun%"$word"}"
  [[ "$word" == [=:@] ]] && cut="$begun"
  local values=() shown=() paths=""
  while IFS= read -r line; do
    value="\${line%%"$tab"*}"
    title="\${line#*"$tab"}"
    if [[ -z "$value" ]]; then
      paths="$title"
    elif [[ "$value" == "$begun"* ]]; then
      value="\${value#"$cut"}"
      # Commas and the like mean nothing to bash, but %q would quote them.
      [[ "$value" == *[!A-Za-z0-9_.,/:=@+-]* ]] && printf -v value '%q' "$value"
      values+=("$value")
      shown+=("$value\${title:+  ($title)}")
    fi
  done < <(${ask} --begun="$begun" -- "\${words[@]:1:\${#words[@]}-2}" 2>/dev/null </dev/null)
  if [[ \${#values[@]} -gt 1 && "\${COMP_TYPE:-9}" -eq 63 ]]; then
    # Only listed: with the titles.
    COMPREPLY=("\${shown[@]}")
  else
    COMPREPLY=("\${values[@]}")
  fi
  if [[ "$paths" == folders ]]; then
    compopt -o nospace -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "\${begun#"$cut"}")
  elif [[ "$paths" == files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${begun#"$cut"}")
  fi
}
complete -F _docsctl docsctl
`;

const zsh = `#compdef docsctl
# docsctl completion for zsh. Put it as _docsctl into a folder of your fpath, or: source <(docsctl completion zsh)
_docsctl() {
  local -a found before
  local line value paths
  before=("\${(@Q)words[2,CURRENT-1]}")
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}"
    if [[ -z "$value" ]]; then
      paths="\${line#*$'\\t'}"
    else
      value="\${value//\\\\/\\\\\\\\}"
      found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(${ask} --begun="\${(Q)PREFIX}" -- "\${before[@]}" 2>/dev/null </dev/null)
  if [[ -n "$paths" ]]; then
    compset -P '--[^=]##='
    if [[ "$paths" == folders ]]; then _files -/; else _files; fi
  elif (( \${#found} )); then
    _describe -t docsctl docsctl found
  fi
}
if [[ "\${funcstack[1]}" == _docsctl ]]; then
  _docsctl "$@"
else
  compdef _docsctl docsctl
fi
`;

const fish = `# docsctl completion for fish. Put it as docsctl.fish into ~/.config/fish/completions, or: docsctl completion fish | source
function __docsctl_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l begun (string unescape -- (commandline -ct); or commandline -ct)
    set -l found (${ask} --begun="$begun" -- $words 2>/dev/null </dev/null)
    for line in $found
        switch $line
            case \\tfiles \\tfolders
                set -l flag (string match -r -- '^--[^=]+=' "$begun")
                set -l path (string replace -r -- '^--[^=]+=' '' "$begun")
                for name in (complete -C "'' $path")
                    set -l file (string split -m 1 \\t -- $name)[1]
                    if test $line = \\tfiles; or test -d $file
                        printf '%s%s\\n' $flag $file
                    end
                end
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c docsctl -f -a '(__docsctl_complete)'
`;

const powershell = `# docsctl completion for PowerShell. Add to your profile: docsctl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
  })
  # Where paths stand, nothing is returned: PowerShell then completes files itself.
  ${ask} "--begun=$wordToComplete" '--' @words 2>$null | ForEach-Object {
    $value, $title = $_ -split "\`t", 2
    if ($value) {
      if (-not $title) { $title = $value }
      $inserted = if ($value -match '[^\\w./:=+-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
      [System.Management.Automation.CompletionResult]::new($inserted, $value, 'ParameterValue', $title)
    }
  }
}
`;

/** The scripts by shell, and the names of their files in `completions/`. */
export const completionScripts = { bash, zsh, fish, powershell };
export const completionFiles = {
  bash: 'docsctl.bash',
  zsh: '_docsctl',
  fish: 'docsctl.fish',
  powershell: 'docsctl.ps1',
};
