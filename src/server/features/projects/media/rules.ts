import { isLoopbackHost } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";
import { type Embed, embedSource, readEmbed } from "#shared/embeds.ts";
import { hourMs } from "#shared/lagos-time.ts";
import { type MediaType, mediaLimits, mediaTexts } from "#shared/projects/media-texts.ts";

/** The way a livestream is shown. "hls" plays in our page (GET /livestream/{media id}); "link" opens another site. */
export type Livestream = { kind: "hls"; source: string } | Embed | { kind: "link"; href: string };

type RuleOptions = { isLocalUse: boolean };

/**
 * Reads a stored livestream ("[url]https://…" or "[embed]…"); null if it isn't safe. Of embed code only provider and
 * video are kept. HLS plays over https; in local use also over http from this machine.
 */
export function readLivestream(stored: string, { isLocalUse }: RuleOptions): Livestream | null {
  if (stored.startsWith("[embed]")) return readEmbedCode(stored.slice("[embed]".length));
  if (!stored.startsWith("[url]")) return null;
  const url = readWebAddress(stored.slice("[url]".length));
  if (!url) return null;
  const embed = readEmbed(url.href);
  if (embed) return embed;
  const isPlayable = url.protocol === "https:" || (isLocalUse && isLoopbackHost(url.hostname));
  if (/\.m3u8$/i.test(url.pathname) && isPlayable) return { kind: "hls", source: url.href };
  return { kind: "link", href: url.href };
}

/**
 * Converts a typed livestream to its stored form: prefixed "[url]" or "[embed]", with embed code reduced to the address
 * of the provider's player. Throws "invalid" with the specification's messages.
 */
export function toStoredLivestream(typed: string): string {
  const [, mark, rest = ""] = /^\[(url|embed)\](.*)$/is.exec(typed.trim()) ?? [];
  if (!mark) throw invalid(typed.trim() ? mediaTexts.livestreamFormatInvalid : mediaTexts.livestreamRequired);
  if (mark.toLowerCase() === "embed") {
    const embed = readEmbedCode(rest);
    if (!embed) throw invalid(mediaTexts.embedInvalid);
    return `[embed]${embedSource(embed)}`;
  }
  const url = readWebAddress(rest);
  if (!url) throw invalid(mediaTexts.livestreamUrlInvalid);
  return `[url]${url.href}`;
}

/**
 * Converts a typed YouTube address to its stored form, the same for every spelling. Throws as {@link
 * toStoredLivestream}.
 */
export function toStoredYoutube(typed: string): string {
  const address = typed.trim();
  if (!address) throw invalid(mediaTexts.youtubeRequired);
  // Copied addresses often lack the protocol.
  const embed = readAddress(/^https?:/i.test(address) ? address : `https://${address}`);
  if (embed?.kind !== "youtube") throw invalid(mediaTexts.youtubeInvalid);
  return `https://www.youtube.com/watch?v=${embed.videoId}`;
}

const invalid = (message: string) => new AppError("invalid", message, { fields: { url: [message] } });

/**
 * Parses an http(s) address without credentials as browsers do, but without repairing inner spaces and line breaks. The
 * host may only have letters, digits, hyphens and dots, because a semicolon would start another directive in the
 * content policy.
 */
function readWebAddress(text: string): URL | null {
  const address = text.trim();
  if (address.length > mediaLimits.urlLength || !/^https?:\/\/[^\s\p{Cc}<>"`\\]+$/iu.test(address)) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && !url.username && !url.password && /^[a-z\d.-]+$/.test(url.hostname) ? url : null;
}

/** Embed code is a provider's address, or has one iframe with one as its source. The code around it is dropped. */
function readEmbedCode(code: string): Embed | null {
  if (code.length > mediaLimits.embedLength) return null;
  const trimmed = code.trim();
  if (!trimmed.includes("<")) return readAddress(trimmed);
  const frames = trimmed.match(/<iframe[\s/]/gi) ?? [];
  if (frames.length !== 1) return null;
  const [source, ...others] = attributesBehind(trimmed, trimmed.search(/<iframe[\s/]/i) + "<iframe".length).filter(
    ({ name, value }) => name === "src" && value !== undefined,
  );
  if (!source || others.length > 0) return null;
  return readAddress((source.value ?? "").replaceAll("&amp;", "&"));
}

type Attribute = { name: string; value: string | undefined };

/** The attributes of a tag whose name ends at `from`; none if the tag doesn't end properly. */
function attributesBehind(html: string, from: number): Attribute[] {
  const attribute = /\s+([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/y;
  const end = /\s*\/?>/y;
  const found: Attribute[] = [];
  for (let at = from; ; at = attribute.lastIndex) {
    attribute.lastIndex = at;
    const match = attribute.exec(html);
    if (!match) {
      end.lastIndex = at;
      return end.test(html) ? found : [];
    }
    const [, name = "", doubleQuoted, quoted, bare] = match;
    found.push({ name: name.toLowerCase(), value: doubleQuoted ?? quoted ?? bare });
  }
}

function readAddress(text: string): Embed | null {
  // Embed code often omits the protocol.
  const url = readWebAddress(text.replace(/^\/\//, "https://"));
  return url && readEmbed(url.href);
}

/** A video's address: its random name, with the extension of its content type. */
export function videoPath(storageKey: string, contentType: string): string {
  return `/files/videos/${storageKey.slice("video/".length)}.${contentType === "video/webm" ? "webm" : "mp4"}`;
}

/** The storage key of a video's name in an address; null for any other name. */
export function keyOfVideoName(name: string): string | null {
  const [, id] = /^([0-9a-f]{32})\.(?:mp4|webm)$/.exec(name) ?? [];
  return id ? `video/${id}` : null;
}

/** Backers get one notice per kind of media in such a window. */
const noticeWindowMs = hourMs;

/** The kinds of notices: photos, videos (including YouTube) or a livestream. */
export type MediaNews = "photos" | "videos" | "livestream";

export const newsOf: Record<MediaType, MediaNews> = {
  photo: "photos",
  video: "videos",
  youtube: "videos",
  livestream: "livestream",
};

/** The event's name. All media of a kind within the window share one, so that fifty photos make one mail per backer. */
export function mediaEventKey(projectId: number, news: MediaNews, at: Date): string {
  return `media:${projectId}:${news}:${Math.floor(at.getTime() / noticeWindowMs)}`;
}
