/** The operator's colour and its ten shades, from light to dark. */
export type Look = { color: string; shades: string[] };

/** Which shades carry what, in both schemes: white text stands on `button`, `text` stands on the pages' grounds. */
export type LookRoles = {
  button: { light: string; dark: string };
  text: { light: string; dark: string };
  /** Behind the heads of papers' tables. */
  tint: string;
};

/** The contrast that white text needs on a button, and coloured text on its grounds. */
export const neededContrast = { button: 4.5, text: 7 } as const;

/** The grounds that text stands on: page, raised and sunken surfaces of global.css. */
const grounds = { light: ["#fbf8f1", "#ffffff", "#f3eee3"], dark: ["#141a13", "#1d241b", "#0f140e"] } as const;

/** A colour as #rrggbb. */
type Hex = string;

const channels = (hex: Hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

/** Relative luminance, as WCAG 2 has it. */
function luminance(hex: Hex): number {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, as WCAG 2 has it: from 1 to 21. */
export function contrast(one: Hex, other: Hex): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

const leastContrast = (hex: Hex, under: readonly Hex[]): number =>
  Math.min(...under.map((ground) => contrast(hex, ground)));

/**
 * The reason why a colour can't be read: no shade has enough contrast under a button's white text, or as text.
 * `ratio` is the best that there is.
 */
export type LookFault = { role: keyof typeof neededContrast; scheme: "light" | "dark"; ratio: number };

/**
 * Chooses the shades by their contrast. On light pages the button has the colour itself, and so has text where that is dark
 * enough. Gives the best ratio there is where none is enough.
 */
export function readRoles({ color, shades }: Look): { roles: LookRoles } | { fault: LookFault } {
  const [tint = "", lightest = "", light = "", pale = ""] = shades;
  const [strong = "", deep = "", dark = "", darkest = ""] = shades.slice(6);
  const onButton = (hex: Hex) => contrast(hex, "#ffffff");
  const onLight = (hex: Hex) => leastContrast(hex, [...grounds.light, tint]);
  const onDark = (hex: Hex) => leastContrast(hex, grounds.dark);
  const found = {
    lightButton: choose([color], onButton, neededContrast.button),
    darkButton: choose([strong, deep, dark, darkest], onButton, neededContrast.button),
    lightText: choose([color, dark, darkest], onLight, neededContrast.text),
    darkText: choose([pale, light, lightest, tint], onDark, neededContrast.text),
  };
  const faultOf = ({ best }: { best: number }, role: LookFault["role"], scheme: LookFault["scheme"]) => ({
    fault: { role, scheme, ratio: best },
  });
  if (found.lightButton.hex === null) return faultOf(found.lightButton, "button", "light");
  if (found.darkButton.hex === null) return faultOf(found.darkButton, "button", "dark");
  if (found.lightText.hex === null) return faultOf(found.lightText, "text", "light");
  if (found.darkText.hex === null) return faultOf(found.darkText, "text", "dark");
  return {
    roles: {
      button: { light: found.lightButton.hex, dark: found.darkButton.hex },
      text: { light: found.lightText.hex, dark: found.darkText.hex },
      tint,
    },
  };
}

function choose(shades: Hex[], ratioOf: (hex: Hex) => number, needed: number): { hex: Hex | null; best: number } {
  const hex = shades.find((shade) => ratioOf(shade) >= needed) ?? null;
  return { hex, best: Math.max(...shades.map(ratioOf)) };
}

/** The roles of a saved look, which has passed; null for the product's own green. */
export function rolesOf(look: Look | null): LookRoles | null {
  if (!look?.shades.every((shade) => /^#[0-9a-f]{6}$/.test(shade))) return null;
  const read = readRoles(look);
  return "roles" in read ? read.roles : null;
}

/** The tokens of global.css that follow the operator's colour, as CSS of both schemes; empty for the product's own green. */
export function lookCss(look: Look | null): string {
  const roles = rolesOf(look);
  if (!look || !roles) return "";
  const shades = look.shades.map((shade, index) => `--mantine-color-leaf-${index}:${shade}`).join(";");
  return `:root:root{${shades};${tokensOf(roles, "light")}}:root:root[data-mantine-color-scheme="dark"]{${tokensOf(roles, "dark")}}`;
}

/** The same as pairs, for a preview of one scheme. */
export function lookTokens(roles: LookRoles, scheme: "light" | "dark"): Record<`--${string}`, string> {
  const [button, text] = [roles.button[scheme], roles.text[scheme]];
  const isDark = scheme === "dark";
  return {
    "--brand": button,
    "--brand-hover": `color-mix(in srgb, ${button} 84%, #000)`,
    "--link": text,
    "--meter": isDark ? text : button,
    "--chip": isDark ? text : button,
    "--on-chip": isDark ? "#0f140e" : "#fff",
    "--band": isDark ? `color-mix(in srgb, ${button} 40%, #0f140e)` : button,
  };
}

const tokensOf = (roles: LookRoles, scheme: "light" | "dark") =>
  Object.entries(lookTokens(roles, scheme))
    .map(([name, value]) => `${name}:${value}`)
    .join(";");
