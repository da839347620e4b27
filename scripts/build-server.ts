import { globSync } from "node:fs";
import { build, type Plugin } from "vite";
import { stamped } from "./build-stamp.ts";

/** Packages that aren't bundled: native code, WebAssembly, and those that read files of their own. */
export const outside = ["@electric-sql/pglite", "@node-rs/argon2", "fontkit", "pdfjs-dist", "pdfmake", "sharp"];

/**
 * Leaves packages out of the source maps. Node reads the maps at the start, and those of packages took 50 MB of its memory and a
 * quarter of the time.
 */
const packagesUnmapped: Plugin = {
  name: "packages-unmapped",
  transform: {
    filter: { id: /\/node_modules\// },
    handler: (code) => ({ code, map: { mappings: "" } }),
  },
};

/**
 * Bundles the server, its commands and its worker programs for `npm start`: Node needs seconds and 200 MB to load the
 * thousands of files of the sources and packages. Each program has the same place in dist/.server as in src/server.
 */
export const buildServer = () =>
  stamped("server", async () => {
    const programs = ["main", "cli/main", ...globSync("**/*-worker.ts", { cwd: "src/server" })];
    const named = programs.map((program) => program.replace(/\.ts$/, ""));
    await build({
      configFile: false,
      logLevel: "warn",
      plugins: [packagesUnmapped],
      build: {
        ssr: true,
        target: "node24",
        outDir: "dist/.server",
        copyPublicDir: false,
        sourcemap: true,
        rolldownOptions: {
          input: Object.fromEntries(named.map((program) => [program, `src/server/${program}.ts`])),
          output: {
            // With --enable-source-maps an error names the source's line. Node reads these maps at the start: without
            // the sources' text and the bundle's white space they take 20 MB less of its memory.
            sourcemapExcludeSources: true,
            minify: { compress: false, mangle: false },
            keepNames: true,
          },
        },
      },
      ssr: { noExternal: true, external: outside },
    });
    console.log("build: the server is ready");
  });
