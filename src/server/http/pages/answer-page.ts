import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { iconTags } from "#server/http/icons.ts";
import { openPublicCache } from "#server/platform/cache.ts";
import { createContext, createSharedContext, sessionCookieName } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { lookCss } from "#shared/site/look.ts";
import { renderHead, siteFactsOf } from "./head.ts";
import { findRenderedPage, type RenderedPage } from "./page-data.ts";
import { describePage } from "./page-heads.ts";
import type { Page, PageContent } from "./send-page.ts";
import { openServerRendering } from "./server-rendering.ts";

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Returns a function that describes the page at an address: its head and, for rendered pages, their content. Content
 * that is the same for everybody, or for everybody signed out, is cached until it changes. A rendering error never
 * prevents a page.
 */
export function openPages(app: FastifyInstance, deps: Deps, { distDir }: { distDir: string }) {
  const render = openServerRendering(deps, distDir);
  const cache = openPublicCache<PageContent>(deps, {
    maxBytes: MAX_BYTES,
    bytesOf: ({ root, boot }) => 2 * (root.length + boot.length),
  });
  app.addHook("preClose", async () => cache.close());
  const forAll = createSharedContext(deps);

  const contentOf = async (page: RenderedPage | null, request: FastifyRequest, reply: FastifyReply) => {
    if (!page || !render) return undefined;
    try {
      const isForAll = page.isShared || !hasSession(deps, request);
      if (isForAll) return await cache.get(keyOf(page), async () => render(page, await page.answers(forAll)));
      return await render(page, await page.answers(await createContext(deps, request, reply)));
    } catch (error) {
      // The browser repeats the requests, and shows what failed.
      request.log.error({ err: error, href: page.href }, "no content for a page");
      return undefined;
    }
  };

  /** With the operator: the cache is cleared a moment before the reader has their new profile. */
  const keyOf = ({ href }: RenderedPage) => {
    const { version, hasCareers, reviewDays } = deps.site.current();
    return JSON.stringify([href, version, hasCareers, reviewDays]);
  };

  return async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<Page> => {
    const page = findRenderedPage(path, new URLSearchParams(request.url.replace(/^[^?]*/, "")));
    const [head, content] = await Promise.all([describePage(deps, path), contentOf(page, request, reply)]);
    const isPrivate = page !== null && !page.isShared && hasSession(deps, request);
    const site = siteFactsOf(deps.site.current(), deps.env);
    return {
      status: head.status,
      head: [renderHead(head, site), ...iconTags(site)].join("\n    "),
      css: lookCss(site.look),
      content,
      isPrivate,
    };
  };
}

const hasSession = ({ env }: Deps, { cookies }: FastifyRequest) => cookies[sessionCookieName(env)] !== undefined;
