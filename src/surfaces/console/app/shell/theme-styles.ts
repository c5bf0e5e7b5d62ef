import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import { cssVariables, theme } from "./theme.ts";

/**
 * Returns the theme as a style sheet, for the bundler: only the variables that differ from the library's
 * `default-css-variables.css`. Computed in the browser, it took as long as the first page.
 */
export function themeStyles(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const [own, made, usual] = [
    cssVariables(merged),
    defaultCssVariablesResolver(merged),
    defaultCssVariablesResolver(DEFAULT_THEME),
  ];
  const differing = (part: "variables" | "light" | "dark") =>
    Object.fromEntries(
      Object.entries({ ...made[part], ...own[part] }).filter(([name, value]) => {
        const known: Readonly<Record<string, string>> = usual[part];
        return known[name] !== value;
      }),
    );
  return convertCssVariables({
    variables: differing("variables"),
    light: differing("light"),
    dark: differing("dark"),
  });
}
