import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The green of the sign-in pages, from the lightest to the darkest shade. */
const green: MantineColorsTuple = [
  "#eef6f1",
  "#d9eae0",
  "#b3d6c1",
  "#86bf9d",
  "#5ea87d",
  "#3f9365",
  "#2b7b50",
  "#1d6540",
  "#14532d",
  "#0c3d20",
];

/** The theme: calm, dense enough for work, and in the system's font. */
export const theme = createTheme({
  primaryColor: "green",
  primaryShade: { light: 8, dark: 6 },
  autoContrast: true,
  respectReducedMotion: true,
  colors: { green },
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.5rem", lineHeight: "1.3" },
      h2: { fontSize: "1.375rem", lineHeight: "1.3" },
      h3: { fontSize: "1.0625rem", lineHeight: "1.4" },
      h4: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  components: {
    Button: { defaultProps: { size: "sm" } },
    // A badge is one or two words and is never cut off.
    Badge: {
      defaultProps: { tt: "none" },
      styles: { root: { overflow: "visible", flex: "none" }, label: { overflow: "visible" } },
    },
    // A dialog's header is not a banner of the page.
    Modal: { defaultProps: { centered: true, attributes: { header: { role: "presentation" } } } },
    // A dropdown stays in the landmark of its control.
    Combobox: { defaultProps: { withinPortal: false } },
    // The list itself scrolls; the keyboard scrolls it from its field.
    Select: { defaultProps: { withScrollArea: false }, styles: { options: { maxHeight: 220, overflowY: "auto" } } },
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { withinPortal: false } },
  },
});

const tint = (name: string, color: string): Record<string, string> => ({
  [`--mantine-color-${name}-light`]: `color-mix(in srgb, ${color} 14%, transparent)`,
  [`--mantine-color-${name}-light-hover`]: `color-mix(in srgb, ${color} 20%, transparent)`,
  [`--mantine-color-${name}-light-color`]: color,
});

/** Mantine's dimmed text, links and errors have a contrast below 4.5:1 on its own backgrounds; these reach it. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": colors.gray[7],
    "--mantine-color-error": colors.red[9],
    "--mantine-color-red-light-color": "#a51b1b",
    "--mantine-color-orange-light-color": "#8a3304",
    "--mantine-color-anchor": colors.green?.[8] ?? green[8],
    "--console-ground": "#f7f8f7",
    "--console-line": "#e3e6e4",
    "--console-hover": "rgb(0 0 0 / 4%)",
    "--console-shade": "rgb(0 0 0 / 22%)",
    "--console-active": "rgb(0 0 0 / 7%)",
    "--console-good": "#d3f0dd",
    "--console-uneasy": "#ffe9c7",
    "--console-bad": "#ffdcdc",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b0ac",
    "--mantine-color-body": "#161918",
    "--mantine-color-error": colors.red[4],
    "--mantine-color-red-filled": colors.red[9],
    "--mantine-color-red-filled-hover": colors.red[8],
    "--mantine-color-anchor": colors.green?.[3] ?? green[3],
    "--console-ground": "#101312",
    "--console-line": "#2c312e",
    "--console-hover": "rgb(255 255 255 / 5%)",
    "--console-shade": "rgb(255 255 255 / 30%)",
    "--console-active": "rgb(255 255 255 / 9%)",
    "--console-good": "#1d4a30",
    "--console-uneasy": "#55401a",
    "--console-bad": "#5c2323",
    // Mantine's own are solid and darker than the page; here they are tints, as in the light scheme.
    ...tint("orange", colors.orange[3]),
    ...tint("red", colors.red[3]),
    ...tint("blue", colors.blue[3]),
    "--mantine-color-green-light": "rgb(94 168 125 / 16%)",
    "--mantine-color-green-light-hover": "rgb(94 168 125 / 22%)",
    "--mantine-color-green-light-color": colors.green?.[3] ?? green[3],
  },
});
