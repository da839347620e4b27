import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import superjson from "superjson";
import type { Deps } from "#server/core/deps.ts";
import { keepInMemory } from "#server/core/keep-in-memory.ts";
import { oneAtATime } from "#server/core/one-at-a-time.ts";
import { within } from "#server/core/within.ts";
import type { BootAnswer } from "#shared/boot.ts";
import type { Preview, RenderPreview } from "#shared/preview.ts";
import { readPageCode } from "./page-code.ts";
import type { PaintedPage } from "./painted-pages.ts";
import type { PageContent } from "./static.ts";

const KEPT_BYTES = 32 * 1024 * 1024;
/** Drawing takes some milliseconds of the processor: where so many wait for it, the browser draws by itself. */
const MAX_WAITING = 20;
/** Hundreds of times what a drawing takes: one that waits for what never comes holds up neither its page nor others. */
const MAX_MS = 3000;

export type Paint = (page: PaintedPage, answers: BootAnswer[]) => Promise<PageContent>;

/**
 * Draws pages by the client's own components (docs/decisions/0016-…). All that a page shows is in its answers, and a
 * drawing is kept by their content: it is never older than they are. Undefined where there is no build for it.
 */
export function openPaint({ env, log }: Pick<Deps, "env" | "log">, distDir: string): Paint | undefined {
  const file = join(distDir, ".preview/preview.js");
  if (!existsSync(file)) return undefined;
  const codeOf = readPageCode(distDir);
  const drawn = keepInMemory<Preview>({
    maxBytes: KEPT_BYTES,
    // Two bytes a letter.
    bytesOf: ({ root, css, preloads }) => 2 * (root.length + css.length + preloads.length),
  });
  const inTurn = oneAtATime();
  // Nobody who types a text into the product knows it: no text can ask for a nonce.
  const nonceMark = randomUUID();

  const draw = async (href: string, boot: string): Promise<Preview | undefined> => {
    const name = createHash("sha256").update(`${href}\n${boot}`).digest("base64url");
    if (!drawn.has(name) && inTurn.waiting() >= MAX_WAITING) return undefined;
    try {
      const render = async () => {
        // A tenth of a second, which a server that starts has no time for.
        const { renderPreview }: { renderPreview: RenderPreview } = await import(file);
        return renderPreview({ href, boot, isDemo: env.demo, origin: env.publicUrl, nonce: nonceMark });
      };
      return await within(
        MAX_MS,
        drawn.get(name, () => inTurn(() => within(MAX_MS, render()))),
      );
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
      css: preview ? [css, preview.css] : [],
      root: preview?.root ?? "",
      boot: `<script type="application/json" id="boot">${boot.replaceAll("<", "\\u003c")}</script>`,
    };
  };
}
