import { generateColors } from "@mantine/colors-generator";
import { contrast, type Look, type LookRoles, lookFaultText, neededContrast, readRoles } from "#shared/site/look.ts";

/** A colour that can be read in every role, with its ten shades; or why it can't, and the nearest that can. */
export type TriedColor = { look: Look; roles: LookRoles } | { fault: string; nearest: string };

/** Tries a colour, given as #rrggbb. */
export function tryColor(color: string): TriedColor {
  const look = shadesOf(color);
  const read = readRoles(look);
  if ("roles" in read) return { look, roles: read.roles };
  const nearest = findNearest(color);
  return { fault: lookFaultText(color, read.fault, nearest), nearest };
}

const shadesOf = (color: string): Look => ({ color, shades: [...generateColors(color)] });

const passes = (color: string): boolean => "roles" in readRoles(shadesOf(color));

const STEP = 0.01;

/** The nearest darker colour of the same hue and saturation that passes. Black does at the latest. */
function findNearest(color: string): string {
  const [hue, saturation, lightness] = toHsl(color);
  for (let wanted = lightness - STEP; wanted > 0; wanted -= STEP) {
    const hex = fromHsl(hue, saturation, wanted);
    if (contrast(hex, "#ffffff") >= neededContrast.button && passes(hex)) return hex;
  }
  return "#000000";
}

/** Hue in degrees, saturation and lightness from 0 to 1. */
function toHsl(hex: string): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [range, lightness] = [most - least, (most + least) / 2];
  if (range === 0) return [0, 0, lightness];
  const sixth =
    most === red ? (green - blue) / range : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return [(sixth * 60 + 360) % 360, range / (1 - Math.abs(2 * lightness - 1)), lightness];
}

function fromHsl(hue: number, saturation: number, lightness: number): string {
  const part = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    const value =
      lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}
