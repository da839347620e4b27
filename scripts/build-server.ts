import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { hashSources, writeStamp } from "./build-stamp.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const outDir = join(root, "dist/.server");

const entry = join(root, "src/server/start.ts");

/** Files that a module finds from its own place, such as the migrations, it finds from the bundle too. */
const keepPlaces: Plugin = {
  name: "keep-places",
  transform(code, id) {
    // What the entry keeps belongs to the bundle.
    if (id === entry || !id.startsWith(join(root, "src/server/")) || !code.includes("import.meta.dirname")) return null;
    const place = JSON.stringify(`/${relative(outDir, dirname(id))}`);
    return code.replaceAll("import.meta.dirname", `(import.meta.dirname + ${place})`);
  },
};

/**
 * The server in a few files, with the packages it needs to start: 1,300 modules less to find, to strip of their types
 * and to keep (docs/decisions/0020-the-server-starts-from-a-bundle.md). Not minified: its stack traces are read.
 */
export async function buildServer(): Promise<void> {
  const hash = hashSources("server");
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [keepPlaces],
    define: { "process.env.NODE_ENV": "process.env.NODE_ENV" },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      target: "node24",
      minify: false,
      rolldownOptions: { output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" } },
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
  writeStamp("server", hash);
}
