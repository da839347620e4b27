import { openSync } from "fontkit";
import { fontFile } from "#server/root.ts";

/** The papers' fonts, and how a text is written with the letters that they have. */

export const noto = { normal: fontFile("noto-sans/noto-sans.ttf"), bold: fontFile("noto-sans/noto-sans-bold.ttf") };

const ofBold = new Set(openSync(noto.bold).characterSet);
const printed = new Set(openSync(noto.normal).characterSet.filter((letter) => ofBold.has(letter)));

/** Stands for what the fonts lack: nobody reads a name as whole that isn't. */
const missingLetter = "\u{FFFD}";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * A text as the papers print it. Letters with their marks are one character where Unicode has it, as fonts draw them
 * best and searches find them. What the fonts lack is one sign for each letter that a reader would count; what has no
 * shape is left out.
 */
export function printable(text: string): string {
  let written = "";
  for (const { segment } of graphemes.segment(text.normalize("NFC").replace(lackingSpaces, " "))) {
    const shapes = [...segment].filter((letter) => has(letter) || !/\p{Default_Ignorable_Code_Point}/u.test(letter));
    const known = shapes.filter(has);
    written += known.join("");
    if (known.length < shapes.length) written += missingLetter;
  }
  return written;
}

const lackingSpaces = /[^\S\n\u00a0\u2009\u202f]/g;
const has = (letter: string): boolean => letter === "\n" || printed.has(letter.codePointAt(0) ?? 0);
