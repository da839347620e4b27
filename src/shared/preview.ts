/** Between the server and its build of the client, which draws pages. */

export type PreviewRequest = {
  /** The page's address on the site, as the router would write it. */
  href: string;
  /** The answers that the page shows, written by superjson: a list of BootAnswer. */
  boot: string;
  isDemo: boolean;
  /** The site's public address. */
  origin: string;
  nonce: string;
};

/** A drawn page: HTML for `#root`, and tags that fetch its main picture early. */
export type Preview = { root: string; preloads: string };

export type RenderPreview = (request: PreviewRequest) => Promise<Preview>;
