import type { ComponentProps } from "react";
import { preload } from "react-dom";
import { photoSrcSet } from "#shared/photos.ts";

export type PictureProps = ComponentProps<"img"> & {
  src: string;
  alt: string;
  /** How wide it is shown, as CSS says at each width of the window: the browser chooses by it before there are styles. */
  sizes: string;
  /** Of the box that it fills. */
  width: number | undefined;
  height: number | undefined;
  /** "main" is the page's largest, fetched before anything else; "early" is seen without scrolling. */
  urgency?: "main" | "early" | "late" | undefined;
};

/**
 * A photo of ours in the width and format that suit the screen; any other picture as it is. The main one is preloaded,
 * in a page that the server draws too.
 */
export function Picture({ src, sizes, urgency = "late", alt, ...rest }: PictureProps) {
  const avif = photoSrcSet(src, "avif");
  const isMain = urgency === "main";
  if (avif && isMain) {
    preload(src, { as: "image", type: "image/avif", imageSrcSet: avif, imageSizes: sizes, fetchPriority: "high" });
  }
  const img = (
    <img
      decoding="async"
      {...rest}
      alt={alt}
      // Before the address, with which fetching begins.
      loading={urgency === "late" ? "lazy" : "eager"}
      fetchPriority={isMain ? "high" : "auto"}
      sizes={sizes}
      srcSet={photoSrcSet(src, "webp")}
      src={src}
    />
  );
  if (!avif) return img;
  return (
    <picture>
      <source type="image/avif" srcSet={avif} sizes={sizes} />
      {img}
    </picture>
  );
}
