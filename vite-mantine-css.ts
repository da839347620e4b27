import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const componentModule = /@mantine\/core\/esm\/.*\/([\w-]+?)(?:\.module)?\.mjs$/;
const baseModule = /\/(?:global|baseline|default-css-variables)\.mjs$/;

/**
 * Each Mantine component brings its own stylesheet into the chunk in which it lands, so that a page pays only for what
 * it shows. Mantine's own way is one file for all components, which alone is over the budget of the first load.
 * Build only: in dev main.tsx loads the whole file.
 */
export function mantineCss(): Plugin {
  const styles = fileURLToPath(new URL("./node_modules/@mantine/core/styles/", import.meta.url));
  return {
    name: "mantine-css",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: componentModule },
      handler(code, id) {
        // Our theme brings all the colours that we use; Mantine still looks for its own primary one.
        if (id.endsWith("/default-colors.mjs"))
          return { code: 'export const DEFAULT_COLORS = { blue: Array(10).fill("#000") };', map: null };
        const isBase = baseModule.test(id);
        if (!isBase && !id.endsWith(".module.mjs")) return;
        const css = `${styles}${componentModule.exec(id)?.[1]}.layer.css`;
        if (!existsSync(css)) return;
        return { code: `import ${JSON.stringify(css)};\n${code}`, map: null, moduleSideEffects: isBase };
      },
    },
  };
}
