import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatDate } from "#shared/dates.ts";

export type Livestream = RouterOutputs["media"]["livestreams"]["items"][number]["stream"];

/** A livestream, which only administrators find in a gallery, comes with how it is shown. */
export type MediaItem = RouterOutputs["media"]["gallery"]["items"][number] & { stream?: Livestream | null };

const kinds = { photo: "Photo", video: "Video", youtube: "YouTube video", livestream: "Livestream" } as const;

/** Written where a row's address is none that a page of ours may show. */
export const notShownText = "This address can't be shown";

export const isShown = ({ url, stream }: Pick<MediaItem, "url" | "stream">): boolean => url !== "" || !!stream;

/** What it is, for readers: "Photo", "YouTube video". */
export function mediaKind({ type }: Pick<MediaItem, "type">): string {
  return kinds[type];
}

/** What it shows, or of what day it is where nobody has said so. */
export function mediaLabel(item: Pick<MediaItem, "type" | "altText" | "createdAt">): string {
  return item.altText || `${mediaKind(item)} of ${formatDate(item.createdAt)}`;
}
