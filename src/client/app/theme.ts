import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** Deep leaf green. Shades 6 to 9 carry white text at AA, 8 and 9 at AAA. */
const leaf: MantineColorsTuple = [
  "#eff7ee",
  "#dceeda",
  "#b9ddb6",
  "#9bd398",
  "#7cc47a",
  "#479a4a",
  "#2f8238",
  "#1f6b2e",
  "#165726",
  "#0e431c",
];

/** Warm laterite earth, the accent: at most one use per screen. */
const earth: MantineColorsTuple = [
  "#fcf3ea",
  "#f7e3d0",
  "#efc9a5",
  "#e8b88c",
  "#e0a877",
  "#c47a3d",
  "#a65a22",
  "#96501d",
  "#7a3e14",
  "#5c2d0d",
];

const red: MantineColorsTuple = [
  "#fdf1ef",
  "#fbe3e0",
  "#f6c6c1",
  "#f6b8b3",
  "#f49a94",
  "#e5685f",
  "#c9372c",
  "#b42318",
  "#9b1c1c",
  "#7a1414",
];

/** Mantine's greys, warmed: cream at the light end; shade 4 is the border of fields (3:1 on white). */
const gray: MantineColorsTuple = [
  "#faf7f0",
  "#f3eee3",
  "#e8e1d2",
  "#ddd4c2",
  "#8c8371",
  "#7b7464",
  "#6e6859",
  "#575246",
  "#3c3930",
  "#24221c",
];

/** The dark scheme's surfaces, with a hint of leaf; 0 is text, 7 the page. */
const dark: MantineColorsTuple = [
  "#ecefe8",
  "#d3d9cd",
  "#b3bdac",
  "#97a290",
  "#4a5546",
  "#2b3428",
  "#1d241b",
  "#141a13",
  "#0f140e",
  "#0b0f0a",
];

/** Inter and what stands in for it (fonts/inter.css); the system's own for scripts and signs that they don't have. */
const sans =
  'Inter, "Inter by Roboto", "Inter by Arial", "Inter by Noto", system-ui, -apple-system, "Segoe UI", sans-serif, "Apple Color Emoji", "Segoe UI Emoji"';

const colors = { leaf, green: leaf, earth, red, gray, dark };

// Colours of Mantine's own are no part of the design: naming one must not compile.
declare module "@mantine/core" {
  export interface MantineThemeColorsOverride {
    colors: Record<keyof typeof colors, MantineColorsTuple>;
  }
}

export const theme = createTheme({
  colors,
  primaryColor: "leaf",
  primaryShade: { light: 8, dark: 6 },
  black: "#1b1f18",
  fontFamily: sans,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: "0.8125rem", sm: "0.875rem", md: "1rem", lg: "1.125rem", xl: "1.25rem" },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.55", lg: "1.6", xl: "1.6" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  radius: { xs: "4px", sm: "6px", md: "10px", lg: "14px", xl: "20px" },
  defaultRadius: "md",
  headings: {
    fontFamily: sans,
    fontWeight: "700",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: "clamp(1.75rem, 1.3rem + 2vw, 2.5rem)", lineHeight: "1.15" },
      h2: { fontSize: "clamp(1.375rem, 1.15rem + 1vw, 1.75rem)", lineHeight: "1.2" },
      h3: { fontSize: "1.25rem", lineHeight: "1.3" },
      h4: { fontSize: "1.125rem", lineHeight: "1.35" },
      h5: { fontSize: "1rem", lineHeight: "1.4" },
      h6: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    Button: { defaultProps: { size: "md" } },
    TextInput: { defaultProps: { size: "md" } },
    PasswordInput: { defaultProps: { size: "md" } },
    NumberInput: { defaultProps: { size: "md" } },
    Textarea: { defaultProps: { size: "md" } },
    NativeSelect: { defaultProps: { size: "md" } },
    Select: { defaultProps: { size: "md" } },
    Anchor: { defaultProps: { underline: "always" } },
    // Mantine makes the dialog's title a <header>, which readers would take for a second banner of the page.
    Modal: {
      defaultProps: { centered: true, radius: "lg", attributes: { header: { role: "presentation" } } },
    },
  },
});

/** Mantine's surfaces follow the tokens of global.css, which apply before any script has run. */
const surfaces = {
  "--mantine-color-body": "var(--surface-page)",
  "--mantine-color-text": "var(--text)",
  "--mantine-color-dimmed": "var(--text-dimmed)",
  "--mantine-color-placeholder": "var(--text-placeholder)",
  "--mantine-color-anchor": "var(--link)",
  "--mantine-color-error": "var(--danger)",
  "--mantine-color-disabled": "var(--tone-neutral-surface)",
  "--mantine-color-default": "var(--surface-raised)",
  "--mantine-color-default-hover": "var(--surface-sunken)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-leaf-filled": "var(--brand)",
  "--mantine-color-leaf-filled-hover": "var(--brand-hover)",
  "--mantine-color-leaf-light": "color-mix(in srgb, var(--brand) 12%, transparent)",
  "--mantine-color-leaf-light-hover": "color-mix(in srgb, var(--brand) 16%, transparent)",
  "--mantine-color-leaf-light-color": "var(--link)",
  "--mantine-color-leaf-outline": "var(--link)",
  "--mantine-color-leaf-text": "var(--link)",
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: surfaces, dark: surfaces });
