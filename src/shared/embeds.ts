/** A video that another service plays: which service and which video, and nothing else of the address it came in. */
export type Embed =
  | { kind: "youtube"; videoId: string }
  | { kind: "vimeo"; videoId: string; privacyHash: string | null }
  | { kind: "facebook"; href: string };

export const embedProviderNames = { youtube: "YouTube", vimeo: "Vimeo", facebook: "Facebook" } as const;

/**
 * The video that an address of YouTube, Vimeo or Facebook means: a page to watch it on, a short link, or the source of
 * the service's own player. By exact host, https or http, without credentials or port; null for everything else.
 */
export function readEmbed(address: string): Embed | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.port) return null;
  return hosts.get(url.hostname)?.(url) ?? null;
}

/** Where the service's player for it is: the only addresses that our pages frame. */
export function embedSource(embed: Embed): string {
  if (embed.kind === "youtube") return `https://www.youtube-nocookie.com/embed/${embed.videoId}`;
  if (embed.kind === "facebook")
    return `https://www.facebook.com/plugins/video.php?href=${encodeURIComponent(embed.href)}`;
  const hash = embed.privacyHash ? `&h=${embed.privacyHash}` : "";
  return `https://player.vimeo.com/video/${embed.videoId}?dnt=1${hash}`;
}

type Reader = (url: URL) => Embed | null;

/** As long as an id, but a player's name for a channel's stream and for a playlist. */
const notVideoIds = new Set(["live_stream", "videoseries"]);

const youtube = (videoId: string | null | undefined): Embed | null =>
  videoId && /^[\w-]{11}$/.test(videoId) && !notVideoIds.has(videoId) ? { kind: "youtube", videoId } : null;

const readYoutube: Reader = ({ pathname, searchParams }) =>
  youtube(
    pathname === "/watch" ? searchParams.get("v") : /^\/(?:embed|live|shorts|v)\/([^/]+)\/?$/.exec(pathname)?.[1],
  );

const readShortYoutube: Reader = ({ pathname }) => youtube(/^\/([^/]+)\/?$/.exec(pathname)?.[1]);

const vimeo = (match: RegExpExecArray | null, hash?: string | null): Embed | null => {
  const [, videoId, pathHash] = match ?? [];
  const privacyHash = hash ?? pathHash ?? null;
  if (!videoId || (privacyHash && !/^[0-9a-f]{1,40}$/.test(privacyHash))) return null;
  return { kind: "vimeo", videoId, privacyHash };
};

const readVimeo: Reader = ({ pathname }) => vimeo(/^\/(\d{1,15})(?:\/([0-9a-f]+))?\/?$/.exec(pathname));

const readVimeoPlayer: Reader = ({ pathname, searchParams }) =>
  vimeo(/^\/video\/(\d{1,15})\/?$/.exec(pathname), searchParams.get("h"));

const readFacebook: Reader = ({ pathname, searchParams }) => {
  if (pathname === "/plugins/video.php") {
    const href = searchParams.get("href") ?? "";
    // A player within a player's address: once, and no further.
    const inner = href.includes("/plugins/") ? null : readEmbed(href);
    return inner?.kind === "facebook" ? inner : null;
  }
  const [, page, posted] = /^\/([\w.-]{1,100})\/videos\/(?:[\w.%-]+\/)?(\d{1,20})\/?$/.exec(pathname) ?? [];
  if (page && posted) return { kind: "facebook", href: `https://www.facebook.com/${page}/videos/${posted}/` };
  const watched = /^\/watch(\/live)?\/?$/.test(pathname) ? (searchParams.get("v") ?? "") : "";
  return /^\d{1,20}$/.test(watched) ? { kind: "facebook", href: `https://www.facebook.com/watch/?v=${watched}` } : null;
};

const hosts = new Map<string, Reader>([
  ["youtube.com", readYoutube],
  ["www.youtube.com", readYoutube],
  ["m.youtube.com", readYoutube],
  ["www.youtube-nocookie.com", readYoutube],
  ["youtu.be", readShortYoutube],
  ["vimeo.com", readVimeo],
  ["www.vimeo.com", readVimeo],
  ["player.vimeo.com", readVimeoPlayer],
  ["facebook.com", readFacebook],
  ["www.facebook.com", readFacebook],
  ["m.facebook.com", readFacebook],
]);
