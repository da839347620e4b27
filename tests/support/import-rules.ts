import { posix } from "node:path";

/** The order in which server features may use each other: a feature sees only those that stand before it. */
const featureOrder =
  "settings alarms users two-factor team admins auth notifications ledger projects favorites backings updates messages media payments receipts dashboard careers contact audit-log exports".split(
    " ",
  );
const featureFiles = ["router", "service", "queries", "rules", "routes", "emails", "jobs", "checks", "lists"];

/** Layers from the bottom up; a file may import from its own layer and from those below. The first match counts. */
const serverLayers = [
  /^db\//,
  /^core\//,
  /^features\/[^/]+\/(?!routes\.ts$)/,
  /^(router\.ts$|http\/|features\/)/,
  /^app\.ts$/,
  /^/,
];
const clientLayers = [/^lib\//, /^ui\//, /^features\//, /^app\//, /^routes\//, /^/];
/** Who may import `#server/db`: besides the layers that work with it, the files at the top that put everything together. */
const touchesDb = /^(core|db)\/|^features\/[^/]+\/(service|queries|jobs|checks|lists)\.ts$|^(?!router\.ts$)[^/]+\.ts$/;
/** Packages that exactly one file may name. */
const soleImporters = new Map([
  ["lucia", "src/server/core/sessions.ts"],
  ["arctic", "src/server/core/oidc.ts"],
  ["@aws-sdk/client-s3", "src/server/core/s3-storage.ts"],
  ["flydrive/drivers/s3", "src/server/core/s3-storage.ts"],
  ["node:process", "src/server/core/env.ts"],
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

/** The violations in one file; `file` is its path from the root of the package, as in "src/server/app.ts". */
export function checkFile(file: string, source: string): string[] {
  const problems = listImports(source).flatMap((it) => checkImport(file, it));
  const [, area = "", path = ""] = /^src\/(server|client|shared)\/(.+)$/.exec(file) ?? [];
  if (!area) problems.push("src/ holds server, client and shared only");
  if (/(^|\/)index\.tsx?$/.test(path) && !/^src\/client\/routes\//.test(file)) problems.push("no barrels");
  const [, feature = "", name = ""] = (area === "server" && /^features\/([^/]+)\/(.+)$/.exec(path)) || [];
  if (feature && !featureOrder.includes(feature)) problems.push(`feature ${feature} is not in the ordered list`);
  if (name && !featureFiles.includes(name.replace(/\.ts$/, ""))) problems.push(`no ${name} in a feature's folder`);
  const code = source.split("\n").filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
  if (file !== "src/server/core/env.ts" && code.some((line) => /\bprocess(\.env|\[)/.test(line))) {
    problems.push("only core/env.ts reads process.env");
  }
  return problems.map((problem) => `${file}: ${problem}`);
}

function checkImport(file: string, { specifier, isType }: Import): string[] {
  const [, area = "", path = ""] = /^src\/([^/]+)\/(.+)$/.exec(file) ?? [];
  if (/(^|\/)\.\.(\/|$)/.test(specifier)) return [`${specifier}: no ../`];
  if (/^\.\/.*\//.test(specifier)) return [`${specifier}: ./ stays within one folder`];
  const target = specifier.startsWith("./")
    ? posix.join(posix.dirname(file), specifier)
    : specifier.replace(/^#/, "src/");
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
  if (area === "server" && /^db\//.test(targetPath) && !touchesDb.test(path)) return [`${specifier}: no database here`];
  return checkFeatures(area, path, targetPath).map((problem) => `${specifier}: ${problem}`);
}

function checkPackage(file: string, area: string, specifier: string): string[] {
  if (area === "shared" && specifier !== "zod") return [`${specifier}: shared imports zod only`];
  const [name = ""] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const sole = soleImporters.get(name);
  return sole && sole !== file ? [`${specifier}: only ${sole}`] : [];
}

function checkFeatures(area: string, path: string, targetPath: string): string[] {
  const [, own = "", file = ""] = /^features\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const [, other = "", otherFile = ""] = /^features\/([^/]+)\/(.+)$/.exec(targetPath) ?? [];
  if (!own || !other) return [];
  if (area === "client") return own === other ? [] : ["client features don't import each other"];
  if (file === "router.ts" && own !== other) return ["a router calls its own service and queries only"];
  if (own === other) return [];
  if (!/^(service|queries)\.ts$/.test(otherFile)) return ["of another feature only its service or queries"];
  return featureOrder.indexOf(other) < featureOrder.indexOf(own) ? [] : [`${other} stands after ${own}`];
}
