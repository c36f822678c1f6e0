# docsctl completion for fish. Put it as docsctl.fish into ~/.config/fish/completions, or: docsctl completion fish | source
function __docsctl_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l begun (string unescape -- (commandline -ct); or commandline -ct)
    set -l found (docsctl --no-input --timeout 1 --retries 0 __complete --begun="$begun" -- $words 2>/dev/null </dev/null)
    for line in $found
        set -l parts (string split \t -- $line)
        if test -n "$parts[1]"
            printf '%s\n' $line
            continue
        end
        set -l behind "$parts[3]"
        set -l path (string sub -s (math 1 + (string length -- "$behind")) -- "$begun")
        for name in (complete -C "'' "(string replace -a ' ' '\ ' -- "$path"))
            set -l file (string split -m 1 \t -- $name)[1]
            if test $parts[2] = files; or test -d $file
                printf '%s%s\n' $behind $file
            end
        end
    end
end
complete -c docsctl -f -a '(__docsctl_complete)'
