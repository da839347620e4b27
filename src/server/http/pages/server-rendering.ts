import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import superjson from "superjson";
import { within } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { BootAnswer } from "#shared/boot.ts";
import type { RenderPage, RenderResult } from "#shared/server-rendering.ts";
import { siteFactsOf } from "./head.ts";
import { readPageAssets } from "./page-assets.ts";
import type { RenderedPage } from "./page-data.ts";
import type { PageContent } from "./send-page.ts";

/** Hundreds of times what rendering takes. A render that hangs must not delay its page further. */
const MAX_MS = 3000;

export type Render = (page: RenderedPage, answers: BootAnswer[]) => Promise<PageContent>;

/**
 * Renders pages with the client's own components (docs/decisions/0016-…). All data of a page is in its answers.
 * Undefined if there is no server build.
 */
export function openServerRendering(
  { env, log, site }: Pick<Deps, "env" | "log" | "site">,
  distDir: string,
): Render | undefined {
  const file = join(distDir, ".rendering/entry-server.js");
  if (!existsSync(file)) return undefined;
  const assetsOf = readPageAssets(distDir);
  // Random, so that no text typed into the product can contain it and get a nonce.
  const nonceMark = randomUUID();

  const render = async (href: string, boot: string): Promise<RenderResult | undefined> => {
    try {
      // Importing takes 0.1 s, so it waits for the first page.
      const { renderPage }: { renderPage: RenderPage } = await import(file);
      const rendered = renderPage({ href, boot, site: siteFactsOf(site.current(), env), nonce: nonceMark });
      return await within(MAX_MS, rendered);
    } catch (error) {
      log.error({ err: error, href }, "a page could not be rendered");
      return undefined;
    }
  };

  return async ({ href, source }, answers) => {
    const boot = superjson.stringify(answers);
    const { tags, css } = assetsOf(source);
    const rendered = await render(href, boot);
    return {
      nonceMark,
      head: rendered?.preloads ?? "",
      tags: rendered ? tags : "",
      css: rendered ? css : "",
      root: rendered?.root ?? "",
      boot: `<script type="application/json" id="boot">${boot.replaceAll("<", "\\u003c")}</script>`,
    };
  };
}
