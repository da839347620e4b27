/** Between the server and its own build of the client, which renders pages. */

export type RenderRequest = {
  /** The page's address on the site, as the router would write it. */
  href: string;
  /** The answers that the page shows, written by superjson: a list of BootAnswer. */
  boot: string;
  isDemo: boolean;
  /** The site's public address. */
  origin: string;
  nonce: string;
};

/** A rendered page: HTML for `#root`, and tags that fetch its main picture early. */
export type RenderResult = { root: string; preloads: string };

export type RenderPage = (request: RenderRequest) => Promise<RenderResult>;
