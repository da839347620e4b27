import { fileRules, isHeic } from "#shared/files.ts";
import { reportPageTexts, reportPhotos } from "#shared/reports/page-texts.ts";

const { types, maxBytes } = fileRules.photo;
/** As many as the server takes. */
const maxPixels = 40_000_000;

/** A chosen file can't be used; the message is for the person. */
export class PhotoFault extends Error {}

/**
 * Gives what is kept of a chosen photo and sent. That is the original wherever the server takes it: a photo that is
 * drawn anew has lost its EXIF date, and an old photo is told by that date and by its bytes. Anything larger, or of a
 * format that only this phone can open, becomes a JPEG of at most 2,048 pixels. Throws {@link PhotoFault}.
 */
export async function preparePhoto(file: File): Promise<File> {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode().catch(() => {
      throw new PhotoFault(reportPageTexts.photoUnreadable);
    });
    const isTaken =
      types.includes(file.type) &&
      file.size <= maxBytes &&
      image.naturalWidth * image.naturalHeight <= maxPixels &&
      !isHeic(new Uint8Array(await file.slice(0, 12).arrayBuffer()));
    return isTaken ? file : await drawSmaller(image, file.name);
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function drawSmaller(image: HTMLImageElement, name: string): Promise<File> {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, reportPhotos.maxEdge / Math.max(naturalWidth, naturalHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(naturalWidth * scale);
  canvas.height = Math.round(naturalHeight * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  if (!blob) throw new PhotoFault(reportPageTexts.photoUnreadable);
  return new File([blob], name.replace(/(\.\w+)?$/, ".jpg"), { type: "image/jpeg" });
}
