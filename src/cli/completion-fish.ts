import type { Node, OptionNode } from "./completion.ts";
import { valueOptions } from "./completion-bash.ts";

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const condition = (path: string): string => `-n ${quoted(`__assay_at ${quoted(path)}`)}`;

function optionLine(path: string, { flags, about, takesValue, choices, files }: OptionNode): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(" ");
  const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : files ? " -rF" : takesValue ? " -x" : "";
  return `complete -c assay ${condition(path)} ${names}${values} -d ${quoted(about)}`;
}

const linesOf = ({ path, commands, options, values }: Node): string[] => [
  ...commands.map(({ text, about }) => `complete -c assay ${condition(path)} -a ${text} -d ${quoted(about)}`),
  ...values.choices.map((choice) => `complete -c assay ${condition(path)} -a ${choice}`),
  ...(values.files ? [`complete -c assay ${condition(path)} -F`] : []),
  ...options.map((option) => optionLine(path, option)),
];

/** A completion script for fish 3 and later. */
export function fishScript(nodes: readonly Node[]): string {
  const steps = nodes.flatMap(({ path, commands }) =>
    commands.map(({ text }) => {
      const next = path === "" ? text : `${path} ${text}`;
      return `            case ${quoted(`${path}:${text}`)}\n                set at ${quoted(next)}`;
    }),
  );
  return `# assay: completion for fish. Made by \`assay completion fish\`.
function __assay_at
    set -l at ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        if contains -- $word ${valueOptions(nodes).join(" ")}
            set skip 1
            continue
        end
        switch "$at:$word"
${steps.join("\n")}
        end
    end
    test "$at" = "$argv[1]"
end
complete -c assay -f
${nodes.flatMap(linesOf).join("\n")}`;
}
