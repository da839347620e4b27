import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { type OpenReport, renderReport } from "#server/http/pages/report-html.ts";
import { unnamedSite } from "#shared/site/site.ts";

/** Weights of pages in brotli, read from the build's manifest. Product decision: phones on slow 4G set the budgets. */

/** 1000 bytes. */
export const KB = 1000;
/** Budgets of the home page's first load, in bytes. */
export const budgets = { js: 140 * KB, css: 17 * KB };
/** Budget of the farms' report page, in bytes. It includes the font: senders come from a mail, not another page. */
export const reportPageBudget = 60 * KB;

const administratorsRoute = /^(admin\.|create-project|edit-project|project-updates)/;
/** Returns the bytes a route may add to the first load: more for administrators, once a day and on better lines. */
export const budgetOf = (route: string): number => (administratorsRoute.test(route) ? 250 : 175) * KB;

type Chunk = {
  file: string;
  name?: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
};
export type WeighedFile = { file: string; name?: string | undefined; size: number };
/** `atOnce` is the least that shows the page; `own` adds the largest of its parts fetched later. */
export type RouteWeight = { route: string; atOnce: number; own: number; largestPart: string | undefined };

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const routeFile = /^src\/client\/routes\/(.+)\.tsx\?tsr-split=(.+)$/;

/** Weighs the build in `dist`, in bytes. Throws if there is none. */
export function weighPages(): {
  home: { js: WeighedFile[]; css: WeighedFile[] };
  routes: RouteWeight[];
  later: WeighedFile[];
} {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
  if (!entry) throw new Error("dist/.vite/manifest.json names no entry: run the build first");

  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const size = sizes.get(file) ?? brotliCompressSync(readFileSync(join(dist, file))).length;
    sizes.set(file, size);
    return size;
  };

  /** Returns a chunk and all that it imports; `withLater` adds the chunks that these may fetch later. */
  const chunksOf = (key: string, withLater: boolean, seen = new Set<string>()): Set<string> => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return seen;
    seen.add(key);
    // What the start chunk fetches later belongs to the page that makes it do so.
    const later = withLater && !chunk.isEntry ? (chunk.dynamicImports ?? []) : [];
    for (const imported of [...(chunk.imports ?? []), ...later]) chunksOf(imported, withLater, seen);
    return seen;
  };
  const filesOf = (keys: Iterable<string>) =>
    new Set([...keys].flatMap((key) => [manifest[key]?.file ?? [], manifest[key]?.css ?? []].flat()));
  const first = filesOf(chunksOf(entry, false));
  const weightOf = (keys: Iterable<string>) =>
    [...filesOf(keys)].filter((file) => !first.has(file)).reduce((sum, file) => sum + sizeOf(file), 0);

  const weighRoute = (route: string, keys: string[]): RouteWeight => {
    const needed = new Set(keys.flatMap((key) => [...chunksOf(key, false)]));
    const parts = [...needed]
      .filter((key) => !manifest[key]?.isEntry)
      .flatMap((key) => manifest[key]?.dynamicImports ?? [])
      .map((key) => ({ key, own: weightOf(chunksOf(key, true, new Set(needed))) }));
    const [largest] = parts.sort((a, b) => b.own - a.own);
    const atOnce = weightOf(needed);
    return { route, atOnce, own: largest?.own ?? atOnce, largestPart: largest && manifest[largest.key]?.name };
  };

  const keysOfRoute = Map.groupBy(
    Object.keys(manifest).filter((key) => routeFile.test(key)),
    (key) => routeFile.exec(key)?.[1] ?? "",
  );
  const weighed = (files: string[]) => files.map((file) => ({ file, size: sizeOf(file) }));
  return {
    home: {
      js: weighed([...first].filter((file) => file.endsWith(".js"))),
      css: weighed([...first].filter((file) => file.endsWith(".css"))),
    },
    routes: [...keysOfRoute].map(([route, keys]) => weighRoute(route, keys)).sort((a, b) => b.own - a.own),
    later: Object.values(manifest)
      .filter(({ file }) => file.endsWith(".js") && !first.has(file))
      .map(({ file, name }) => ({ file, name, size: sizeOf(file) }))
      .sort((a, b) => b.size - a.size),
  };
}

/**
 * All that a phone fetches to show a report's form of six figures, but for photos and the tab's icon: the page, its
 * scripts and styles in brotli, and the font.
 */
export function weighReportPage(): WeighedFile[] {
  const template = readFileSync(join(dist, "report.html"), "utf8");
  const form = renderReport(sampleReport, { token: "x".repeat(43) }, { now: new Date(0), site: sampleSite });
  const page = template.replace("<!--page-->", () => form.html);
  const files = [...template.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].flatMap(([, file]) => file ?? []);
  const fonts = files
    .filter((file) => file.endsWith(".css"))
    .flatMap((file) => [...readFileSync(join(dist, file), "utf8").matchAll(/url\(\/([^)]+\.woff2)\)/g)])
    .flatMap(([, file]) => file ?? []);
  return [
    { file: "report.html", size: brotliCompressSync(page).length },
    ...files.map((file) => ({ file, size: brotliCompressSync(readFileSync(join(dist, file))).length })),
    ...fonts.map((file) => ({ file, size: readFileSync(join(dist, file)).length })),
  ];
}

const sampleSite = { ...unnamedSite, publicUrl: "", reviewDays: 1, reviewTime: "", hasCareers: false, markPath: null };
const sampleReport: OpenReport = {
  projectId: 1,
  projectTitle: "500 layers on the hills of Ilorin, for eggs every day",
  farmName: "Oke-Oyi Poultry",
  lastSent: null,
  report: {
    number: 12,
    dueAt: new Date(0),
    opensAt: new Date(0),
    isOpen: true,
    code: "7K3P",
    asks: 3,
    sentBackNote: "Please take the photos again by day.",
    content: "",
    figures: ["alive", "died", "sold", "eggs", "feed", "takings"].map((key) => ({
      key,
      label: `Figure of this week: ${key}`,
      unit: key,
      kind: "count",
      isRequired: true,
      last: "1,234.5",
    })),
  },
};

export const sumOf = (files: WeighedFile[]): number => files.reduce((sum, { size }) => sum + size, 0);
