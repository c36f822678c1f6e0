/** What each shell runs to ask docsctl: quiet, quick, and never a question. */
const ask = 'docsctl --no-input --timeout 2 --retries 0 __complete --';

const bash = `# docsctl completion for bash. Put it into your bash-completion folder, or: source <(docsctl completion bash)
_docsctl() {
  local line value
  local current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$current" = "=" ] && current=""
  COMPREPLY=()
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}"
    if [[ "$value" == "$current"* ]]; then
      COMPREPLY+=("$(printf '%q' "$value")")
    fi
  done < <(${ask} "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
}
complete -o bashdefault -o default -F _docsctl docsctl
`;

const zsh = `#compdef docsctl
# docsctl completion for zsh. Put it as _docsctl into a folder of your fpath, or: source <(docsctl completion zsh)
_docsctl() {
  local -a found
  local line value description
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}"
    description="\${line#*$'\\t'}"
    found+=("\${value//:/\\\\:}:\${description}")
  done < <(${ask} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe -t docsctl docsctl found
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = "_docsctl" ]; then
  _docsctl "$@"
else
  compdef _docsctl docsctl
fi
`;

const fish = `# docsctl completion for fish. Put it as docsctl.fish into ~/.config/fish/completions, or: docsctl completion fish | source
function __docsctl_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (${ask} $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c docsctl -f -a '(__docsctl_complete)'
`;

const powershell = `# docsctl completion for PowerShell. Add to your profile: docsctl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  ${ask} @words "$wordToComplete" 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
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
