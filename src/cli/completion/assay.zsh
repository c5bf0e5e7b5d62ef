#compdef assay
# assay: completion for zsh. Printed by `assay completion zsh`.
_assay() {
  local line files=
  local -a found
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=yes; else found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}"); fi
  done < <(assay __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe assay found; fi
  if [[ -n $files ]]; then _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _assay "$@"; else compdef _assay assay; fi
