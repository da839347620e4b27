import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = "http://localhost:3000";

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tanstackRouter({
      target: "react",
      routesDirectory: "src/client/routes",
      generatedRouteTree: "src/client/route-tree.gen.ts",
      tmpDir: "node_modules/.cache/tanstack-router",
      quoteStyle: "double",
      semicolons: true,
      addExtensions: true,
      autoCodeSplitting: true,
      // The home page is what most people open first: its code comes with the start chunk, without a second round trip.
      codeSplittingOptions: { splitBehavior: ({ routeId }) => (routeId === "/" ? [] : undefined) },
    }),
    react(),
  ],
  build: {
    target: "es2022",
    manifest: !isSsrBuild,
    // Every browser that runs the target knows modulepreload.
    modulePreload: { polyfill: false },
    // scripts/bytes.ts holds the budgets, in brotli.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: isSsrBuild
        ? {}
        : {
            // The first load names every chunk, so their names cost 1.5 kB there (`npm run bytes` and the manifest have them), and
            // each letter of a hash 0.2 kB. Rolldown takes no fewer.
            entryFileNames: "assets/[name]-[hash:7].js",
            chunkFileNames: "assets/[hash:7].js",
            assetFileNames: "assets/[hash:7][extname]",
            codeSplitting: {
              groups: [
                { name: "base", tags: ["$initial"], priority: 2 },
                // What nearly every page has, in one request. What fewer share stays apart: a phone opens one page and needs
                // its own parts only.
                {
                  name: "common",
                  test: /@tabler\/icons-react|\/src\/client\/ui\/.*\.tsx?$/,
                  minShareCount: 20,
                  priority: 1,
                },
                // What opens over a page. Apart, its pieces weigh some kilobytes more on each screen of the office. A group takes
                // along what its modules need: what fields share with it is taken before.
                {
                  name: "inputs",
                  test: /@mantine\/(hooks|core\/.*\/(Input|InputBase|InlineInput|TextInput|NativeSelect|Switch|InputsGroupFieldset|ComboboxChevron|get-parsed-combobox-data))\//,
                  minShareCount: 4,
                  priority: 1,
                },
                {
                  name: "overlays",
                  test: /@mantine\/core\/.*\/(Combobox|Menu|Modal|Popover|ScrollArea)\//,
                  minShareCount: 8,
                },
              ],
            },
          },
    },
  },
  server: {
    proxy: Object.fromEntries(
      [
        ...["/trpc", "/auth/", "/events", "/uploads", "/files", "/livestream/", "/dev", "/healthz", "/readyz"],
        ...["/report/", "^/farm/[^/]+/report$"],
      ].map((path) => [path, { target: server }]),
    ),
  },
}));
