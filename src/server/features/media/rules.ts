import { isLoopbackHost } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";
import { type Embed, embedSource, readEmbed } from "#shared/embeds.ts";
import { type MediaType, mediaLimits, mediaTexts } from "#shared/media-texts.ts";

/** How a livestream is shown. "hls" plays in a page of ours (GET /livestream/{media id}), "link" leads away. */
export type Livestream = { kind: "hls"; source: string } | Embed | { kind: "link"; href: string };

type RuleOptions = { isLocalUse: boolean };

/**
 * What a stored livestream ("[url]https://…" or "[embed]…") is; null where nothing safe can be made of it. Nothing of
 * embed code is kept but provider and video. HLS plays over https; over http only from this machine in local use.
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
 * The livestream as it is stored, from what an administrator typed: marked "[url]" or "[embed]", embed code reduced to
 * the address of the provider's player. Throws "invalid" with the specification's messages.
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

/** The YouTube entry as it is stored: one form of address, whatever was typed. Throws as {@link toStoredLivestream}. */
export function toStoredYoutube(typed: string): string {
  const address = typed.trim();
  if (!address) throw invalid(mediaTexts.youtubeRequired);
  // Copied from a page, an address often comes without its protocol.
  const embed = readAddress(/^https?:/i.test(address) ? address : `https://${address}`);
  if (embed?.kind !== "youtube") throw invalid(mediaTexts.youtubeInvalid);
  return `https://www.youtube.com/watch?v=${embed.videoId}`;
}

const invalid = (message: string) => new AppError("invalid", message, { fields: { url: [message] } });

/**
 * An http(s) address without credentials, as browsers read it; spaces and line breaks within are not mended. The host
 * is letters, digits, hyphens and dots: it goes into a policy, where a semicolon would begin another directive.
 */
function readWebAddress(text: string): URL | null {
  const address = text.trim();
  if (address.length > mediaLimits.urlLength || !/^https?:\/\/[^\s\p{Cc}<>"`\\]+$/iu.test(address)) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && !url.username && !url.password && /^[a-z\d.-]+$/.test(url.hostname) ? url : null;
}

/** Embed code is a bare address of a provider, or has one iframe whose source is one: what stands around it is dropped. */
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

/** The attributes of a tag whose name ends at `from`; none where it doesn't end as tags do. */
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
  // Embed code often leaves the protocol out.
  const url = readWebAddress(text.replace(/^\/\//, "https://"));
  return url && readEmbed(url.href);
}

/** Where a video is served: its random name, and the ending that its content asks for. */
export function videoPath(storageKey: string, contentType: string): string {
  return `/files/videos/${storageKey.slice("video/".length)}.${contentType === "video/webm" ? "webm" : "mp4"}`;
}

/** Where a video is stored, by its name in the address; null for any other name. */
export function keyOfVideoName(name: string): string | null {
  const [, id] = /^([0-9a-f]{32})\.(?:mp4|webm)$/.exec(name) ?? [];
  return id ? `video/${id}` : null;
}

/** Within such a window the backers of a project are told once that there is something new of a kind. */
const noticeWindowMs = 3_600_000;

/** What backers are told of: photos, videos (also those of YouTube) or a livestream. */
export type MediaNews = "photos" | "videos" | "livestream";

export const newsOf: Record<MediaType, MediaNews> = {
  photo: "photos",
  video: "videos",
  youtube: "videos",
  livestream: "livestream",
};

/** Names the event of new media: fifty photos in an hour are one, and make one mail for each backer. */
export function mediaEventKey(projectId: number, news: MediaNews, at: Date): string {
  return `media:${projectId}:${news}:${Math.floor(at.getTime() / noticeWindowMs)}`;
}
