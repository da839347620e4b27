import type { Plugin } from "vite";

/** The object that PDF.js puts its exports into, for pages without modules. */
const globalObject = /^globalThis\.pdfjsLib = \{[^}]*\};$/m;
const staticFields = /^( +static [#\w]+ = )(?=new )/gm;
const editorTypes = /(?<=static #editorTypes = .*new Map\()(?=\[.+\]\.map\()/;
const pure = "/* @__PURE__ */ ";

/**
 * Lets the bundler leave out what we don't use of PDF.js: its form fields, annotation editors and signatures, a third of
 * it. They stay otherwise, because they are also in a global object, and because creating the empty maps of their static
 * fields might do something, for all that the bundler knows. Fails with a version of which this isn't so.
 */
export function pdfParts(): Plugin {
  return {
    name: "pdf-parts",
    apply: "build",
    transform: {
      filter: { id: /\/pdfjs-dist\/build\/pdf\.mjs$/ },
      handler(code) {
        for (const expected of [globalObject, editorTypes])
          if (!expected.test(code)) this.error(`pdf.mjs has changed: it has no ${expected}`);
        const freed = code.replace(globalObject, "").replace(staticFields, `$1${pure}`).replace(editorTypes, pure);
        return { code: freed, map: null };
      },
    },
  };
}
