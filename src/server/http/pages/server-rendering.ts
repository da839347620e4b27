import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import superjson from "superjson";
import type { PageContent } from "#server/http/static.ts";
import { within } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { BootAnswer } from "#shared/boot.ts";
import type { RenderPage, RenderResult } from "#shared/server-rendering.ts";
import { readPageAssets } from "./page-assets.ts";
import type { RenderedPage } from "./rendered-pages.ts";

/** Hundreds of times what rendering takes: one that waits for what never comes doesn't hold up its page. */
const MAX_MS = 3000;

export type Render = (page: RenderedPage, answers: BootAnswer[]) => Promise<PageContent>;

/**
 * Renders pages by the client's own components (docs/decisions/0016-…). All that a page shows is in its answers.
 * Undefined where there is no build for it.
 */
export function openServerRendering({ env, log }: Pick<Deps, "env" | "log">, distDir: string): Render | undefined {
  const file = join(distDir, ".server/entry-server.js");
  if (!existsSync(file)) return undefined;
  const assetsOf = readPageAssets(distDir);
  // Nobody who types a text into the product knows it: no text can ask for a nonce.
  const nonceMark = randomUUID();

  const render = async (href: string, boot: string): Promise<RenderResult | undefined> => {
    try {
      // A tenth of a second, which a server that starts has no time for.
      const { renderPage }: { renderPage: RenderPage } = await import(file);
      const rendered = renderPage({ href, boot, isDemo: env.demo, origin: env.publicUrl, nonce: nonceMark });
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
