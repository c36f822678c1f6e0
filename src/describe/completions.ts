/**
 * The command by which a shell asks docsctl for completions: it must never ask a question. The word at the cursor follows,
 * then the words before it.
 */
const ask = 'docsctl --no-input --timeout 1 --retries 0 __complete';

// Nothing here is evaluated, and text from the service is never expanded. A line without a word says which kind of path is
// expected.
const bash = `# docsctl completion for bash. Put it into your bash-completion folder, or: source <(docsctl completion bash)
_docsctl() {
  local IFS=$' \\t\\n' tab=$'\\t' rest="\${COMP_LINE:0:COMP_POINT}" words=() word begun="" line value title paths="" behind="" cut i
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
  # That place is before an @, and behind the other signs.
  cut="\${cut%@}"
  local values=() shown=()
  while IFS= read -r line; do
    value="\${line%%"$tab"*}"
    title="\${line#*"$tab"}"
    if [[ -z "$value" ]]; then
      paths="\${title%%"$tab"*}"
      behind="\${title#"$paths"}"
      behind="\${behind#"$tab"}"
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
  # What stands before an equals sign goes on.
  [[ \${#values[@]} -gt 0 && "\${values[0]}" == *= ]] && compopt -o nospace 2>/dev/null
  if [[ -n "$paths" ]]; then
    i=f
    [[ "$paths" == folders ]] && i=d && compopt -o nospace 2>/dev/null
    # Of a file name bash would quote the @ too.
    [[ "\${behind#"$cut"}" == @ ]] || compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
      if [[ "\${behind#"$cut"}" == @ ]]; then
        [[ -d "$line" ]] && line+=/ && compopt -o nospace 2>/dev/null
        printf -v line '%q' "$line"
      fi
      line="$behind$line"
      COMPREPLY+=("\${line#"$cut"}")
    done < <(compgen -$i -- "\${begun#"$behind"}")
  fi
}
complete -F _docsctl docsctl
`;

const zsh = `#compdef docsctl
# docsctl completion for zsh. Put it as _docsctl into a folder of your fpath, or: source <(docsctl completion zsh)
_docsctl() {
  local -a found before ends
  local line value paths behind
  before=("\${(@Q)words[2,CURRENT-1]}")
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}"
    if [[ -z "$value" ]]; then
      paths="\${\${line#*$'\\t'}%%$'\\t'*}"
      behind="\${\${line#*$'\\t'$paths}#$'\\t'}"
    else
      # What stands before an equals sign goes on.
      [[ "$value" == *= ]] && ends=(-S '')
      value="\${value//\\\\/\\\\\\\\}"
      found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(${ask} --begun="\${(Q)PREFIX}" -- "\${before[@]}" 2>/dev/null </dev/null)
  if [[ -n "$paths" ]]; then
    [[ -n "$behind" ]] && compset -P "\${(b)behind}"
    if [[ "$paths" == folders ]]; then _files -/; else _files; fi
  elif (( \${#found} )); then
    _describe -t docsctl docsctl found "\${ends[@]}"
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
        set -l parts (string split \\t -- $line)
        if test -n "$parts[1]"
            printf '%s\\n' $line
            continue
        end
        set -l behind "$parts[3]"
        set -l path (string sub -s (math 1 + (string length -- "$behind")) -- "$begun")
        for name in (complete -C "'' "(string replace -a ' ' '\\ ' -- "$path"))
            set -l file (string split -m 1 \\t -- $name)[1]
            if test $parts[2] = files; or test -d $file
                printf '%s%s\\n' $behind $file
            end
        end
    end
end
complete -c docsctl -f -a '(__docsctl_complete)'
`;

const powershell = `# docsctl completion for PowerShell. Add to your profile: docsctl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @()
  # PowerShell leaves the quotes in the word, and takes lists apart at their commas: what stands together belongs together.
  $word = $wordToComplete -replace '^["'']|["'']$'
  $begun = $word
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    $extent = $element.Extent
    if ($extent.EndOffset -lt $cursorPosition) {
      $words += if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $element.ToString() }
    } elseif ($extent.StartOffset -lt $cursorPosition) {
      $begun = $extent.Text.Substring(0, $cursorPosition - $extent.StartOffset) -replace '^["'']|["'']$'
    }
  }
  # Of what is begun, PowerShell replaces only the word.
  $kept = if ($begun.EndsWith($word, [System.StringComparison]::Ordinal)) { $begun.Substring(0, $begun.Length - $word.Length) } else { '' }
  $arePaths = $false
  $found = @(${ask} "--begun=$begun" '--' @words 2>$null | ForEach-Object {
    $value, $title = ($_ -split "\`t")[0, 1]
    if (-not $value) {
      $arePaths = $true
    } elseif ($value.StartsWith($kept, [System.StringComparison]::Ordinal)) {
      $value = $value.Substring($kept.Length)
      if (-not $title) { $title = $value }
      # In quotes nothing is expanded; PowerShell knows five signs that end them.
      $inserted = if ($value -match '[^A-Za-z0-9_./:=+-]') {
        "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value) + "'"
      } else { $value }
      [System.Management.Automation.CompletionResult]::new($inserted, $value, 'ParameterValue', $title)
    }
  })
  # Where paths stand, nothing is returned: PowerShell then completes files itself. An empty text keeps it from that.
  if ($found.Count -eq 0 -and -not $arePaths) { '' } else { $found }
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
