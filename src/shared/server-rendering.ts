import type { SiteFacts } from "#shared/site/site.ts";

/** The interface between the server and its own build of the client, which renders pages. */

export type RenderRequest = {
  /** The page's address on the site, in the router's spelling. */
  href: string;
  /** The page's data as superjson: a list of BootAnswer. */
  boot: string;
  site: SiteFacts;
  nonce: string;
};

/** A rendered page: the HTML of `#root`, and tags that preload its main picture. */
export type RenderResult = { root: string; preloads: string };

export type RenderPage = (request: RenderRequest) => Promise<RenderResult>;
