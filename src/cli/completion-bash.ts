import type { Node } from "./completion.ts";

/** A word in single quotes, which zsh reads as bash does; it shares the `case` patterns below too. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const arms = (lines: readonly [pattern: string, body: string][]): string =>
  lines.map(([pattern, body]) => `    ${pattern}) ${body} ;;`).join("\n");

/** The options whose next word is their value. They are told by their names alone: none has two meanings. */
export function valueOptions(nodes: readonly Node[]): string[] {
  const flags = nodes.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue)).flatMap((o) => o.flags);
  return [...new Set(flags)].sort();
}

/** What a `word` in front of the cursor means: `at` is the command so far, `prev` an option that waits for its value. */
export function stepLines(nodes: readonly Node[]): string {
  const steps = nodes.flatMap(({ path, commands }) =>
    commands.map(({ text }): [string, string] => [
      quoted(`${path}:${text}`),
      `at=${quoted(path === "" ? text : `${path} ${text}`)}`,
    ]),
  );
  return `    if [[ -n $prev ]]; then prev=; continue; fi
    case $word in
    ${valueOptions(nodes).join(" | ")}) prev=$word; continue ;;
    esac
    case "$at:$word" in
${arms(steps)}
    esac`;
}

/** What an option's value may be. */
export function choiceArms(nodes: readonly Node[], choose: (choices: readonly string[]) => string, files: string) {
  return arms(
    nodes.flatMap(({ path, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ flags, choices, files: isFile }): [string, string] => [
          flags.map((flag) => quoted(`${path}:${flag}`)).join(" | "),
          choices.length > 0 ? choose(choices) : isFile ? files : "true",
        ]),
    ),
  );
}

const wordsOf = ({ commands, options, values }: Node): string =>
  [...commands.map(({ text }) => text), ...values.choices, ...options.flatMap(({ flags }) => flags)].join(" ");

/** A completion script for bash 3.2 and later. */
export function bashScript(nodes: readonly Node[]): string {
  const files = "compopt -o default 2>/dev/null";
  const words = arms(
    nodes.map((node): [string, string] => [
      quoted(node.path),
      `words=${quoted(wordsOf(node))}${node.values.files ? `; ${files}` : ""}`,
    ]),
  );
  return `# assay: completion for bash. Made by \`assay completion bash\`.
_assay() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev= at= words= word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then continue; fi
${stepLines(nodes)}
  done
  if [[ $cur == '=' ]]; then cur=; fi
  COMPREPLY=()
  if [[ -n $prev ]]; then
    case "$at:$prev" in
${choiceArms(nodes, (choices) => `words=${quoted(choices.join(" "))}`, files)}
    *) ${files} ;;
    esac
  else
    case "$at" in
${words}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _assay assay`;
}
