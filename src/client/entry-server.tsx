import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { createMemoryHistory } from "@tanstack/react-router";
import { httpBatchLink } from "@trpc/client";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import superjson from "superjson";
import { trpc } from "#client/lib/trpc.ts";
import type { RenderRequest, RenderResult } from "#shared/server-rendering.ts";
import { appOf } from "./app-of.tsx";

/**
 * Renders a page as the browser first shows it, from the same components. Runs on the server, as a build of its own.
 * Rejects where a part of the page fails.
 */
export async function renderPage({ href, boot, site, nonce }: RenderRequest): Promise<RenderResult> {
  const { element, load } = appOf({
    // Queries without an answer in the boot data stay pending: the browser asks for them.
    trpcClient: trpc.createClient({
      links: [httpBatchLink({ url: site.publicUrl, transformer: superjson, fetch: () => new Promise(() => {}) })],
    }),
    styleNonce: nonce,
    site,
    boot,
    answeredAt: Date.now(),
    at: { history: createMemoryHistory({ initialEntries: [href] }), origin: site.publicUrl },
  });
  await load();
  return splitPreloads(await toHtml(element));
}

/** With every part that is fetched by itself, where it belongs. */
async function toHtml(element: ReactNode): Promise<string> {
  const output = new PassThrough();
  await new Promise<void>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(element, {
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: reject,
      onAllReady() {
        pipe(output);
        resolve();
      },
    });
  });
  return text(output);
}

/** Splits off the preloads that React puts before a page: they belong in its head. Only urgent ones are kept. */
function splitPreloads(html: string): RenderResult {
  const [, links = "", body = ""] = /^((?:<link [^<>]*>)*)(.*)$/s.exec(html) ?? [];
  // The small ones would take the line from the main one.
  const preloads = (links.match(/<link [^<>]*>/g) ?? [])
    .filter((link) => link.includes('fetchPriority="high"'))
    .join("");
  return { root: body, preloads };
}
