# assay: completion for fish 3 and later. Printed by `assay completion fish`.
function __assay_complete
    set -l words (commandline -opc)[2..-1]
    set -l current (commandline -ct)
    for line in (assay __complete $words "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c assay -f -a '(__assay_complete)'
