/**
 * Photos of ours are kept in several widths, all under one random id. A photo's address is that of its largest one,
 * "/files/photos/<id>/1600.webp", and tells which smaller ones there are.
 */

/** A photo is at most this wide; smaller ones are made where the photo is wider than they are. */
export const photoWidths = { max: 1600, smaller: [480, 960] } as const;

const pathPattern = /^\/files\/photos\/([0-9a-f]{32})\/(\d{1,4})\.webp$/;

export const isPhotoPath = (url: string): boolean => pathPattern.test(url);

export const photoPath = (id: string, width: number) => `/files/photos/${id}/${width}.webp`;

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

/** For an <img>: every width that there is of a photo of ours. Undefined for other pictures. */
export function photoSrcSet(url: string): string | undefined {
  const photo = readPhotoPath(url);
  if (!photo) return undefined;
  return widthsOfPhoto(photo.width)
    .map((width) => `${photoPath(photo.id, width)} ${width}w`)
    .join(", ");
}
