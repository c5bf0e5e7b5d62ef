import type { Node } from "./completion.ts";
import { choiceArms, quoted, stepLines } from "./completion-bash.ts";

/** \`_describe\` reads \`word:what it is\`. */
const described = (text: string, about: string): string => quoted(`${text.replaceAll(":", "\\:")}:${about}`);

function wordsOf({ commands, options, values }: Node): string {
  return [
    ...commands.map(({ text, about }) => described(text, about)),
    ...values.choices.map((choice) => described(choice, "")),
    ...options.flatMap(({ flags, about }) => flags.map((flag) => described(flag, about))),
  ].join(" ");
}

/** A completion script for zsh. */
export function zshScript(nodes: readonly Node[]): string {
  const known = nodes.map((node) => {
    const files = node.values.files ? "; _files" : "";
    return `    ${quoted(node.path)}) found=(${wordsOf(node)})${files} ;;`;
  });
  return `#compdef assay
# assay: completion for zsh. Made by \`assay completion zsh\`.
_assay() {
  local prev= at= word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
${stepLines(nodes)}
  done
  if [[ -n $prev ]]; then
    case "$at:$prev" in
${choiceArms(nodes, (choices) => `found=(${choices.map(quoted).join(" ")})`, "_files")}
    *) _files ;;
    esac
  else
    case "$at" in
${known.join("\n")}
    esac
  fi
  (( $#found )) && _describe assay found
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _assay "$@"; else compdef _assay assay; fi`;
}
