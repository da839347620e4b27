import { posix } from "node:path";

/** Layers from the bottom up; a file may import from its own layer and from those below. The first match counts. */
const serverLayers = [
  /^(db\/|root\.ts$)/,
  /^platform\//,
  /^(mail|files)\//,
  /^accounts\//,
  /^books\//,
  /^features\//,
  /^(http\/|router\.ts$)/,
  /^/,
];
const clientLayers = [/^lib\//, /^ui\//, /^shared-parts\//, /^features\//, /^app\//, /^routes\//, /^/];
/** Files that say who may call, what is sent and how it is said, and leave the database to their neighbours. */
const databaseFreePaths =
  /^(http\/|router\.ts$|accounts\/(router|routes)\.ts$|features\/.+\/(router|routes|emails|rules)\.ts$)/;
/** Packages that exactly one file may name. */
const soleImporters = new Map([
  ["lucia", "src/server/accounts/sessions.ts"],
  ["arctic", "src/server/accounts/google/oidc.ts"],
  ["@aws-sdk/client-s3", "src/server/files/s3-storage.ts"],
  ["flydrive/drivers/s3", "src/server/files/s3-storage.ts"],
  ["node:child_process", "src/server/platform/processes.ts"],
  ["node:process", "src/server/platform/env.ts"],
]);

interface Import {
  specifier: string;
  isType: boolean;
}

export function listImports(source: string): Import[] {
  const statement = /^[ \t]*(?:import|export)\b(\s+type\b)?(?:[^;'"]*?\bfrom)?\s*["']([^"']+)["']/gm;
  const dynamic = /\b()import\(\s*["']([^"']+)["']/g;
  return [statement, dynamic]
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .map((match) => ({ specifier: match[2] ?? "", isType: Boolean(match[1]) }));
}

/** The features of the server: folders with a router, a service or queries, also those within another's folder. */
export function findFeatures(files: readonly string[]): ReadonlySet<string> {
  const named = files.flatMap(
    (file) => /^(src\/server\/features\/.+)\/(router|service|queries)\.ts$/.exec(file)?.[1] ?? [],
  );
  return new Set(named);
}

/** The feature that a file of the server belongs to; "" for a file of none. Folders of a concern belong to the one above. */
function featureOf(file: string, features: ReadonlySet<string>): string {
  const folder = posix.dirname(file);
  if (folder === "." || features.has(folder)) return folder === "." ? "" : folder;
  return featureOf(folder, features);
}

/**
 * The violations in one file; `file` is its path from the root of the package, as in "src/server/app.ts". `features` are
 * those of {@link findFeatures}.
 */
export function checkFile(file: string, source: string, features: ReadonlySet<string>): string[] {
  const problems = listImports(source).flatMap((it) => checkImport(file, it, features));
  const [, area = "", path = ""] = /^src\/(server|client|shared)\/(.+)$/.exec(file) ?? [];
  if (!area) problems.push("src/ holds server, client and shared only");
  if (/(^|\/)index\.tsx?$/.test(path) && !/^src\/client\/routes\//.test(file)) problems.push("no barrels");
  const code = source.split("\n").filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
  if (file !== "src/server/platform/env.ts" && code.some((line) => /\bprocess(\.env|\[)/.test(line))) {
    problems.push("only platform/env.ts reads process.env");
  }
  // Where a file stands is another place in the bundle than in the sources.
  if (area === "server" && file !== "src/server/root.ts" && code.some((line) => /\bimport\.meta\b/.test(line))) {
    problems.push("only root.ts asks where it stands");
  }
  if (area === "client" && path !== "lib/lazy-or.ts" && /^import [^;]*\blazy\b[^;]* from "react";/m.test(source)) {
    problems.push("only lib/lazy-or.ts names lazy: a page outlives code that can't be fetched");
  }
  return problems.map((problem) => `${file}: ${problem}`);
}

function checkImport(file: string, { specifier, isType }: Import, features: ReadonlySet<string>): string[] {
  const [, area = "", path = ""] = /^src\/([^/]+)\/(.+)$/.exec(file) ?? [];
  if (/(^|\/)\.\.(\/|$)/.test(specifier)) return [`${specifier}: no ../`];
  if (/^\.\/.*\//.test(specifier)) return [`${specifier}: ./ stays within one folder`];
  const target = specifier.startsWith("./")
    ? posix.join(posix.dirname(file), specifier)
    : specifier.replace(/^#/, "src/");
  if (specifier.startsWith("#") && posix.dirname(target) === posix.dirname(file))
    return [`${specifier}: ./ within one folder`];
  const [, targetArea = "", targetPath = ""] = /^src\/([^/]+)\/(.+)$/.exec(target) ?? [];
  if (!targetArea) return checkPackage(file, area, specifier);

  const isContract = target === "src/server/api-types.ts";
  if (isContract) {
    return isType && file === "src/client/lib/trpc.ts" ? [] : [`${specifier}: only client/lib/trpc.ts, as import type`];
  }
  if (targetArea === "shared") return [];
  if (targetArea !== area) return [`${specifier}: ${area} must not import ${targetArea}`];

  const layers = area === "server" ? serverLayers : clientLayers;
  const layerOf = (path: string) => layers.findIndex((layer) => layer.test(path));
  if (layerOf(targetPath) > layerOf(path)) return [`${specifier}: imports never go back up`];
  if (area === "server" && /^db\//.test(targetPath) && databaseFreePaths.test(path))
    return [`${specifier}: no database here`];
  if (target === "src/server/books/post.ts" && !isType && !/^books\/events\//.test(path)) {
    return [`${specifier}: only books/events posts`];
  }
  const problem = area === "server" ? checkFeatures(file, target, features) : checkClientFeatures(path, targetPath);
  return problem === null ? [] : [`${specifier}: ${problem}`];
}

function checkPackage(file: string, area: string, specifier: string): string[] {
  if (area === "shared" && specifier !== "zod") return [`${specifier}: shared imports zod only`];
  const [name = ""] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const sole = soleImporters.get(name);
  return sole && sole !== file ? [`${specifier}: only ${sole}`] : [];
}

function checkClientFeatures(path: string, targetPath: string): string | null {
  const [own, other] = [path, targetPath].map((one) => /^features\/([^/]+)\//.exec(one)?.[1]);
  return own && other && own !== other ? "client features don't import each other" : null;
}

function checkFeatures(file: string, target: string, features: ReadonlySet<string>): string | null {
  const [own, other] = [featureOf(file, features), featureOf(target, features)];
  if (!own || !other || own === other) return null;
  if (posix.basename(file) === "router.ts") return "a router calls its own service and queries only";
  // What the arrival of money does is the bank's too; what takes two people of a feature is registered; a strike
  // of a payment concerns what was paid out for it.
  const isOpen = /^(service|queries|arrivals|notices|second-person|strikes|today)\.ts$/.test(
    target.slice(other.length + 1),
  );
  return isOpen
    ? null
    : "of another feature only its service, queries, arrivals, notices, second-person, strikes or today";
}

/** The files of src/ that a file imports, types too; packages and shared test code are left out. */
function targetsOf(file: string, source: string): string[] {
  return listImports(source)
    .map(({ specifier }) => specifier.replace(/\?.*$/, ""))
    .filter((specifier) => /^(\.\/|#(server|client|shared)\/)/.test(specifier))
    .map((specifier) =>
      specifier.startsWith("./") ? posix.join(posix.dirname(file), specifier) : specifier.replace(/^#/, "src/"),
    );
}

/** Every circle of imports once, as "a → b → a", among files and among whole features. `sources`: text by path. */
export function findCircles(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map<string, Set<string>>();
  const featureGraph = new Map<string, Set<string>>();
  const features = findFeatures([...sources.keys()]);
  for (const [file, source] of sources) {
    const targets = targetsOf(file, source).filter((target) => sources.has(target));
    files.set(file, new Set(targets));
    const own = featureOf(file, features);
    if (!own) continue;
    const others = targets
      .map((target) => featureOf(target, features))
      .filter((feature) => feature !== "" && feature !== own);
    featureGraph.set(own, new Set([...(featureGraph.get(own) ?? []), ...others]));
  }
  return [...circlesIn(files), ...circlesIn(featureGraph)];
}

/** Depth first: an import of something that is still being followed closes a circle. */
function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (node: string, trail: string[]) => {
    const at = trail.indexOf(node);
    if (at >= 0) circles.push([...trail.slice(at), node].join(" → "));
    if (at >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) follow(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) follow(node, []);
  return circles;
}
