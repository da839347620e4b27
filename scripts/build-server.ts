import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { hashSources, writeStamp } from "./build-stamp.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Full paths; the folder is within the project, whose packages the bundle still needs. */
type Bundle = { entry: string; outDir: string };
const server: Bundle = { entry: join(root, "src/server/main.ts"), outDir: join(root, "dist/.server") };

/** Where the built server begins: what V8 has compiled once is read back at the next start, where that can be kept. */
const starterOf = ({ entry }: Bundle) =>
  `require("node:module").enableCompileCache(require("node:path").join(__dirname, ".compiled"));
require("./${basename(entry, ".ts")}.js");
`;

/** Files that a module finds from its own place, such as the migrations, it finds from the bundle too. */
const keepPlaces = ({ entry, outDir }: Bundle): Plugin => ({
  name: "keep-places",
  transform(code, id) {
    // What the entry keeps belongs to the bundle.
    if (id === entry || !id.startsWith(join(root, "src/server/")) || !code.includes("import.meta.dirname")) return null;
    const place = JSON.stringify(`/${relative(outDir, dirname(id))}`);
    return code.replaceAll("import.meta.dirname", `(import.meta.dirname + ${place})`);
  },
});

/** glob is there for a setting of the package that we don't use: it is evaluated when somebody does. */
const lateGlob: Plugin = {
  name: "late-glob",
  transform(code, id) {
    if (!id.endsWith("/@fastify/static/index.js")) return null;
    const early = "const { glob } = require('glob')";
    if (!code.includes(early)) throw new Error("@fastify/static no longer requires glob as it did");
    return code.replace(early, "const glob = (...input) => require('glob').glob(...input)");
  },
};

/**
 * tRPC is published with its object spreads written out for old browsers, a call for each property: a tenth of what a
 * small answer costs.
 */
function nativeSpread(): Plugin {
  const helper = "function _objectSpread2(e) {";
  let isFound = false;
  return {
    name: "native-spread",
    transform(code, id) {
      if (!id.includes("/@trpc/server/dist/") || !code.includes(helper)) return null;
      isFound = true;
      return code.replace(helper, "function _objectSpread2(e, ...parts) {\n\treturn Object.assign(e, ...parts);");
    },
    buildEnd(error) {
      if (!error && !isFound) throw new Error("@trpc/server no longer writes out its spreads as it did");
    },
  };
}

/**
 * Not as ES modules: importing node's own takes a twentieth of a second more, because their exports are all read, and
 * with node:http's the whole of fetch.
 */
const asCommonJs = (bundle: Bundle): Plugin => ({
  name: "as-common-js",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "package.json", source: '{ "type": "commonjs" }\n' });
    this.emitFile({ type: "asset", fileName: "start.js", source: starterOf(bundle) });
  },
});

/**
 * The server in a few files, with the packages it needs to start: 1,300 modules less to find, to strip of their types
 * and to keep (docs/decisions/0020-the-server-starts-from-a-bundle.md). Not minified: its stack traces are read.
 */
export async function buildServer(): Promise<void> {
  const hash = hashSources("server");
  await bundle(server);
  writeStamp("server", hash);
}

/** Bundles a program that runs as the server does; `start.js` in its folder begins it. */
export async function bundle(given: Bundle): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [keepPlaces(given), lateGlob, nativeSpread(), asCommonJs(given)],
    define: { "process.env.NODE_ENV": "process.env.NODE_ENV" },
    build: {
      ssr: given.entry,
      outDir: given.outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      target: "node24",
      minify: false,
      rolldownOptions: {
        output: {
          format: "cjs",
          charset: "ascii",
          comments: false,
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
        },
      },
    },
    // Those with code for the processor or files of their own, and what few installations load.
    ssr: {
      noExternal: true,
      external: [
        "sharp",
        "@node-rs/argon2",
        "@electric-sql/pglite",
        "@aws-sdk/client-s3",
        "@aws-sdk/s3-request-presigner",
      ],
    },
  });
}
