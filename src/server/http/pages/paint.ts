import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import superjson from "superjson";
import type { PageContent } from "#server/http/static.ts";
import { within } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { BootAnswer } from "#shared/boot.ts";
import type { Preview, RenderPreview } from "#shared/preview.ts";
import { readPageCode } from "./page-code.ts";
import type { PaintedPage } from "./painted-pages.ts";

/** Hundreds of times what a drawing takes: one that waits for what never comes doesn't hold up its page. */
const MAX_MS = 3000;

export type Paint = (page: PaintedPage, answers: BootAnswer[]) => Promise<PageContent>;

/**
 * Draws pages by the client's own components (docs/decisions/0016-…). All that a page shows is in its answers.
 * Undefined where there is no build for it.
 */
export function openPaint({ env, log }: Pick<Deps, "env" | "log">, distDir: string): Paint | undefined {
  const file = join(distDir, ".preview/preview.js");
  if (!existsSync(file)) return undefined;
  const codeOf = readPageCode(distDir);
  // Nobody who types a text into the product knows it: no text can ask for a nonce.
  const nonceMark = randomUUID();

  const draw = async (href: string, boot: string): Promise<Preview | undefined> => {
    try {
      // A tenth of a second, which a server that starts has no time for.
      const { renderPreview }: { renderPreview: RenderPreview } = await import(file);
      const preview = renderPreview({ href, boot, isDemo: env.demo, origin: env.publicUrl, nonce: nonceMark });
      return await within(MAX_MS, preview);
    } catch (error) {
      log.error({ err: error, href }, "a page could not be drawn");
      return undefined;
    }
  };

  return async ({ href, source }, answers) => {
    const boot = superjson.stringify(answers);
    const { tags, css } = codeOf(source);
    const preview = await draw(href, boot);
    return {
      nonceMark,
      head: preview?.preloads ?? "",
      tags: preview ? tags : "",
      css: preview ? css : "",
      root: preview?.root ?? "",
      boot: `<script type="application/json" id="boot">${boot.replaceAll("<", "\\u003c")}</script>`,
    };
  };
}
