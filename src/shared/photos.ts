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

const addressPattern = /^(\/files\/(?:photos\/[0-9a-f]{32}|harvests\/[1-9]\d*))\/([1-9]\d{0,3})\.webp$/;

/** A photo's address before the width, and the width of its largest file; null for any other address. */
function readAddress(url: string): { photo: string; largest: number } | null {
  const [, photo, largest] = addressPattern.exec(url) ?? [];
  return photo ? { photo, largest: Number(largest) } : null;
}

const publicStart = "/files/photos/";

/** True for the address of a photo that anyone may see. */
export const isPhotoPath = (url: string): boolean => readPhotoPath(url) !== null;

export const photoPath = (id: string, width: number) => `${publicStart}${id}/${width}.webp`;

/** The widths of a photo, from that of its largest file, smallest first. */
export const widthsOfPhoto = (largest: number): number[] => [
  ...photoWidths.smaller.filter((width) => width < largest),
  largest,
];

/** The id and largest width in a public photo's address; null for any other address. */
export function readPhotoPath(url: string): { id: string; width: number } | null {
  const address = readAddress(url);
  if (!address?.photo.startsWith(publicStart)) return null;
  return { id: address.photo.slice(publicStart.length), width: address.largest };
}

export const harvestPhotoPath = (harvestFileId: number, width: number) =>
  `/files/harvests/${harvestFileId}/${width}.webp`;

/** The srcset of our photo's widths, for an <img>, a <source> or a preload. Undefined for other pictures. */
export function photoSrcSet(url: string, format: PhotoFormat): string | undefined {
  const address = readAddress(url);
  if (!address) return undefined;
  const { photo, largest } = address;
  return widthsOfPhoto(largest)
    .map((width) => `${photo}/${width}.${format} ${width}w`)
    .join(", ");
}
