# docsctl completion for fish. Put it as docsctl.fish into ~/.config/fish/completions, or: docsctl completion fish | source
function __docsctl_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (docsctl --no-input --timeout 2 --retries 0 __complete -- $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c docsctl -f -a '(__docsctl_complete)'
