import { build } from "vite";
import { stamped } from "./build-stamp.ts";
import { precompress } from "./precompress.ts";
import { writeSbom } from "./sbom.ts";

/** Rebuilds dist/: the pages, and the code with which the server renders them. The server's bundle comes after. */
export const buildPages = () =>
  stamped("pages", async () => {
    await build({ logLevel: "warn" });
    // The livestream player's page (it brings hls.js) and the farms' report page are separate builds: in one build they
    // would share chunks with the others, and would carry each other's code.
    // The worker's address is fixed, because browsers look there for a newer one.
    const parts = [
      { input: "livestream.html" },
      { input: "report.html" },
      { input: { "report-worker": "src/client/report/worker.ts" }, output: { entryFileNames: "[name].js" } },
    ];
    for (const rolldownOptions of parts) {
      await build({
        configFile: false,
        logLevel: "warn",
        build: {
          target: "es2022",
          emptyOutDir: false,
          copyPublicDir: false,
          modulePreload: { polyfill: false },
          chunkSizeWarningLimit: 700,
          rolldownOptions,
        },
      });
    }
    const count = await precompress("dist");
    // The same components once more, for the server, which renders the first picture of some pages
    // (docs/decisions/0016-…). It needs no packages: where the server runs, the client's are not installed.
    await build({
      logLevel: "warn",
      define: { "process.env.NODE_ENV": JSON.stringify("production") },
      build: { ssr: "src/client/entry-server.tsx", outDir: "dist/.rendering", copyPublicDir: false },
      ssr: { noExternal: true },
    });
    await writeSbom("dist");
    console.log(`build: the pages are ready, ${count} files compressed`);
  });
