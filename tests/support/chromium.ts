import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright";

export interface ChromiumLaunch {
  executablePath: string;
  args: string[];
  /** The whole environment of the browser, not only what differs from ours. */
  env: Record<string, string>;
}

const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const root = join(import.meta.dirname, "../..");

/**
 * The browser of the tests, in the form of Playwright's launch options. CHROMIUM_PATH wins where it is set; on x64
 * Linux it is the Chromium that comes with the npm packages, elsewhere the one that Playwright installed.
 */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const env = Object.fromEntries(Object.entries(process.env).filter((pair): pair is [string, string] => !!pair[1]));
  if (process.env.CHROMIUM_PATH) return { executablePath: process.env.CHROMIUM_PATH, args, env };
  if (process.platform === "linux" && process.arch === "x64") return { args, ...bundledChromium(env) };
  const executablePath = chromium.executablePath();
  if (existsSync(executablePath)) return { executablePath, args, env };
  throw new Error("No Chromium found: run `npx playwright install chromium`, or set CHROMIUM_PATH to an installed one");
}

/**
 * Unpacks the Chromium of the npm package once per version, with its own font, so that screenshots look the same
 * everywhere.
 */
function bundledChromium(env: Record<string, string>): Pick<ChromiumLaunch, "executablePath" | "env"> {
  const packageRoot = join(createRequire(import.meta.url).resolve("@sparticuz/chromium"), "../..");
  const { version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string };
  // The real path: fonts.conf keeps it, and a link to node_modules may be gone tomorrow.
  const cache = join(realpathSync(join(root, "node_modules")), `.cache/chromium-${version}`);
  if (!existsSync(cache)) unpack(join(packageRoot, "bin"), cache);
  const executablePath = join(cache, "chromium");
  // In another locale the browser saves a file whose name isn't ASCII as "download".
  const launchEnv = { ...env, FONTCONFIG_FILE: join(cache, "fonts/fonts.conf"), LC_ALL: "C.UTF-8" };
  const startsAsIs = spawnSync(executablePath, ["--version", "--no-sandbox"], { env: launchEnv }).status === 0;
  if (startsAsIs) return { executablePath, env: launchEnv };
  // A bare system lacks the NSS libraries: the package brings those of Amazon Linux 2023.
  return { executablePath, env: { ...launchEnv, LD_LIBRARY_PATH: join(cache, "al2023/lib") } };
}

/** Several processes may unpack at once: each into a folder of its own, and the first to finish gives it its name. */
function unpack(archives: string, cache: string): void {
  const folder = `${cache}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  const names = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
  const program = `
    import { inflate } from "@sparticuz/chromium";
    await Promise.all(${JSON.stringify(names.map((name) => join(archives, name)))}.map(inflate));
  `;
  // The package unpacks into the folder for temporary files, hence a process with a TMPDIR of its own.
  const options = { cwd: root, env: { ...process.env, TMPDIR: folder } };
  execFileSync(process.execPath, ["--input-type=module", "--eval", program], options);
  writeFileSync(
    join(folder, "fonts/fonts.conf"),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(cache, "fonts")}</dir><cachedir>${join(cache, "fontconfig")}</cachedir></fontconfig>\n`,
  );
  try {
    renameSync(folder, cache);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(cache)) throw error;
  }
}
