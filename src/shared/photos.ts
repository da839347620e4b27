/**
 * Photos of ours are kept in several widths and two formats, all under one random id. A photo's address is that of its
 * largest WebP, "/files/photos/<id>/1600.webp", and tells which others there are.
 */

/**
 * A photo is at most this wide; smaller ones are made where the photo is wider than they are. Browsers take the next
 * larger one, so these are a little more than what phones of 360 to 412 px, two or three pixels each, show.
 */
export const photoWidths = { max: 1600, smaller: [320, 480, 672, 1008, 1280] } as const;

/** AVIF has fewer bytes; WebP is for browsers that don't know it. */
export type PhotoFormat = "avif" | "webp";

const pathPattern = /^\/files\/photos\/([0-9a-f]{32})\/([1-9]\d{0,3})\.webp$/;

export const isPhotoPath = (url: string): boolean => pathPattern.test(url);

export const photoPath = (id: string, width: number, format: PhotoFormat = "webp") =>
  `/files/photos/${id}/${width}.${format}`;

/** Of a photo whose largest one has this width, smallest first. */
export const widthsOfPhoto = (largest: number): number[] => [
  ...photoWidths.smaller.filter((width) => width < largest),
  largest,
];

/** Id and largest width of a photo's address; null for any other address. */
export function readPhotoPath(url: string): { id: string; width: number } | null {
  const [, id, width] = pathPattern.exec(url) ?? [];
  return id && width ? { id, width: Number(width) } : null;
}

/** For an <img>, a <source> or a preload: every width that there is of a photo of ours. Undefined for other pictures. */
export function photoSrcSet(url: string, format: PhotoFormat): string | undefined {
  const photo = readPhotoPath(url);
  if (!photo) return undefined;
  return widthsOfPhoto(photo.width)
    .map((width) => `${photoPath(photo.id, width, format)} ${width}w`)
    .join(", ");
}
