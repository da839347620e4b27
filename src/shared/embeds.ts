/** An embedded video: the service and the video's id, and nothing else of the original address. */
export type Embed =
  | { kind: "youtube"; videoId: string }
  | { kind: "vimeo"; videoId: string; privacyHash: string | null }
  | { kind: "facebook"; href: string };

export const embedProviderNames = { youtube: "YouTube", vimeo: "Vimeo", facebook: "Facebook" } as const;

/**
 * The video of a YouTube, Vimeo or Facebook address: a watch page, a short link, or the source of the service's player.
 * The host must match exactly, with https or http and without credentials or port. Null for anything else.
 */
export function readEmbed(address: string): Embed | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.port) return null;
  return hosts.get(url.hostname)?.(url) ?? null;
}

/** The address of the service's player: the only addresses that our pages frame. */
export function embedSource(embed: Embed): string {
  if (embed.kind === "youtube") return `https://www.youtube-nocookie.com/embed/${embed.videoId}`;
  if (embed.kind === "facebook")
    return `https://www.facebook.com/plugins/video.php?href=${encodeURIComponent(embed.href)}`;
  const hash = embed.privacyHash ? `&h=${embed.privacyHash}` : "";
  return `https://player.vimeo.com/video/${embed.videoId}?dnt=1${hash}`;
}

type Reader = (url: URL) => Embed | null;

/** Path segments as long as an id that name the player of a channel's stream or of a playlist. */
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
    // An address may contain another player's, but only one level deep.
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
