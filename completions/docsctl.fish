# docsctl completion for fish. Put it as docsctl.fish into ~/.config/fish/completions, or: docsctl completion fish | source
function __docsctl_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l begun (string unescape -- (commandline -ct); or commandline -ct)
    set -l found (docsctl --no-input --timeout 1 --retries 0 __complete --begun="$begun" -- $words 2>/dev/null </dev/null)
    for line in $found
        switch $line
            case \tfiles \tfolders
                set -l flag (string match -r -- '^--[^=]+=' "$begun")
                set -l path (string replace -r -- '^--[^=]+=' '' "$begun")
                for name in (complete -C "'' $path")
                    set -l file (string split -m 1 \t -- $name)[1]
                    if test $line = \tfiles; or test -d $file
                        printf '%s%s\n' $flag $file
                    end
                end
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c docsctl -f -a '(__docsctl_complete)'
