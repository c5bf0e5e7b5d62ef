/** Removes a value's quotes and backslashes as systemd does. Inside single quotes nothing is special. */
function unquoted(value: string): string {
  const [, quote, inner = ""] = /^(["'])(.*)\1$/s.exec(value) ?? [];
  if (quote === "'") return inner;
  return quote === '"' ? inner.replace(/\\(["\\`$])/g, "$1") : value.replace(/\\(.)/g, "$1");
}

/**
 * Returns the variables of a file in the format of systemd's `EnvironmentFile`: one per line, comments begin with # or ;
 * and a backslash continues a line. Lines without a variable are ignored, as systemd does.
 */
export function variablesIn(text: string): Readonly<Record<string, string>> {
  const lines = text.replace(/\\\r?\n/g, "").split(/\r?\n/);
  const pairs = lines.flatMap((line) => {
    const [, name, value] = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, unquoted(value)] as const];
  });
  return Object.fromEntries(pairs);
}
