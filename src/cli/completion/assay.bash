# assay: completion for bash 3.2 and later. Printed by `assay completion bash`.
_assay() {
  local word
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    if [[ $word == :files ]]; then compopt -o default 2>/dev/null; else COMPREPLY+=("$word"); fi
  done < <(assay __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _assay assay
