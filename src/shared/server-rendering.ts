/** The interface between the server and its own build of the client, which renders pages. */

/** What a page has to know of its installation before it is first painted, so that nothing moves afterwards. */
export type SiteFacts = {
  /** Farms, people and bank details are made up. */
  isDemo: boolean;
  hasGoogleSignIn: boolean;
};

export type RenderRequest = {
  /** The page's address on the site, in the router's spelling. */
  href: string;
  /** The page's data as superjson: a list of BootAnswer. */
  boot: string;
  site: SiteFacts;
  /** The site's public address. */
  origin: string;
  nonce: string;
};

/** A rendered page: the HTML of `#root`, and tags that preload its main picture. */
export type RenderResult = { root: string; preloads: string };

export type RenderPage = (request: RenderRequest) => Promise<RenderResult>;
