/**
 * Our photos are stored in several widths and two formats, all under one random id. A photo's address is that of its
 * largest WebP, "/files/photos/<id>/1600.webp", from which the others follow. A harvest's photo, which few may see, is
 * addressed by its row: "/files/harvests/<row>/1600.webp".
 */

/**
 * The maximum width, and the smaller widths that are drawn of a wider photo. Browsers choose the next larger one, so
 * these are slightly more than what phones of 360 to 412 px show with two or three pixels each.
 */
export const photoWidths = { max: 1600, smaller: [320, 480, 672, 1008, 1280] } as const;

/** AVIF is smaller; WebP is for browsers without AVIF. */
export type PhotoFormat = "avif" | "webp";

const pathPattern = /^\/files\/photos\/([0-9a-f]{32})\/([1-9]\d{0,3})\.webp$/;

export const isPhotoPath = (url: string): boolean => pathPattern.test(url);

export const photoPath = (id: string, width: number, format: PhotoFormat = "webp") =>
  `/files/photos/${id}/${width}.${format}`;

/** The widths of a photo, from that of its largest file, smallest first. */
export const widthsOfPhoto = (largest: number): number[] => [
  ...photoWidths.smaller.filter((width) => width < largest),
  largest,
];

/** The id and largest width in a photo's address; null for any other address. */
export function readPhotoPath(url: string): { id: string; width: number } | null {
  const [, id, width] = pathPattern.exec(url) ?? [];
  return id && width ? { id, width: Number(width) } : null;
}

export const harvestPhotoPath = (harvestFileId: number, width: number) =>
  `/files/harvests/${harvestFileId}/${width}.webp`;

const addressPattern = /^(\/files\/(?:photos\/[0-9a-f]{32}|harvests\/[1-9]\d*))\/([1-9]\d{0,3})\.webp$/;

/** The srcset of our photo's widths, for an <img>, a <source> or a preload. Undefined for other pictures. */
export function photoSrcSet(url: string, format: PhotoFormat): string | undefined {
  const [, photo, largest] = addressPattern.exec(url) ?? [];
  if (!photo) return undefined;
  return widthsOfPhoto(Number(largest))
    .map((width) => `${photo}/${width}.${format} ${width}w`)
    .join(", ");
}
