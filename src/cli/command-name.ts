/** The command's name: the first argument that is neither an option nor a global option's value. */
export function commandName(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word, i) => !word.startsWith("-") && !["--data", "--config"].includes(argv[i - 1] ?? ""));
  return argv[at];
}
