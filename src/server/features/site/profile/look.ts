import { generateColors } from "@mantine/colors-generator";
import chroma from "chroma-js";
import { contrast, type Look, type LookFault, type LookRoles, neededContrast, readRoles } from "#shared/site/look.ts";

/** A colour that can be read in every role, with its ten shades; or why it can't, and the nearest that can. */
export type TriedColor = { look: Look; roles: LookRoles } | { fault: string; nearest: string };

/** Tries a colour, given as #rrggbb. */
export function tryColor(color: string): TriedColor {
  const look = shadesOf(color);
  const read = readRoles(look);
  if ("roles" in read) return { look, roles: read.roles };
  const nearest = findNearest(color);
  return { fault: faultText(color, read.fault, nearest), nearest };
}

const shadesOf = (color: string): Look => ({ color, shades: [...generateColors(color)] });

const passes = (color: string): boolean => "roles" in readRoles(shadesOf(color));

const STEP = 0.01;

/** The nearest darker colour of the same hue and saturation that passes. Black does at the latest. */
function findNearest(color: string): string {
  const [hue, saturation, lightness] = chroma(color).hsl();
  for (let wanted = lightness - STEP; wanted > 0; wanted -= STEP) {
    const hex = chroma.hsl(hue, saturation, wanted).hex();
    if (contrast(hex, "#ffffff") >= neededContrast.button && passes(hex)) return hex;
  }
  return "#000000";
}

/** Says why a colour is refused, and which one would work. */
function faultText(color: string, { role, scheme, ratio }: LookFault, nearest: string): string {
  const name = nameOf(color);
  const what =
    role === "button"
      ? `White text on this ${name} reads badly`
      : `Text in this ${name} reads badly on ${scheme} pages`;
  return `${what} (${ratioText(ratio)} to 1; ${neededContrast[role]} is needed). The nearest that works is ${nearest}.`;
}

/** Ratios are cut, so that 4.49 doesn't read as enough. */
const ratioText = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1);

const hueNames = [
  [15, "red"],
  [45, "orange"],
  [70, "yellow"],
  [165, "green"],
  [195, "teal"],
  [255, "blue"],
  [290, "purple"],
  [345, "pink"],
] as const;

/** "green" of "#40a050". */
function nameOf(color: string): string {
  const [hue, saturation, value] = chroma(color).hsv();
  if (saturation * value < 0.08) return "grey";
  return hueNames.find(([below]) => hue < below)?.[1] ?? "red";
}
