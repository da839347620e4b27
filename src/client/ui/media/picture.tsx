import { type ComponentProps, useCallback, useEffect, useState } from "react";
import { preload } from "react-dom";
import { photoSrcSet } from "#shared/photos.ts";
import classes from "./picture.module.css";

export type PictureProps = ComponentProps<"img"> & {
  src: string;
  alt: string;
  /** How wide it is shown, as CSS says at each width of the window: the browser chooses by it before there are styles. */
  sizes: string;
  /** The measures of the box that it fills. */
  width: number | undefined;
  height: number | undefined;
  /** "main" is the page's largest, fetched before anything else; "eager" is seen without scrolling. */
  urgency?: "main" | "eager" | "lazy" | undefined;
};

/**
 * A photo of ours in the width and format that suit the screen; any other picture as it is. The main one is preloaded,
 * in a server-rendered page too.
 */
export function Picture({ src, sizes, urgency = "lazy", alt, ...rest }: PictureProps) {
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
      loading={urgency === "lazy" ? "lazy" : "eager"}
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

type Missing = {
  isMissing: boolean;
  onError: () => void;
  /** A picture in a server-rendered page may have failed before React listened. */
  ref: (picture: HTMLImageElement | null) => void;
};

/**
 * Returns true if the picture or film at this address could not be loaded. It is tried again once there is a
 * connection.
 */
export function useMissing(src: string): Missing {
  const [missing, setMissing] = useState<string>();
  const isMissing = missing === src;
  useEffect(() => {
    if (!isMissing) return;
    const tryAgain = () => setMissing(undefined);
    window.addEventListener("online", tryAgain);
    return () => window.removeEventListener("online", tryAgain);
  }, [isMissing]);
  const ref = useCallback((picture: HTMLImageElement | null) => {
    // Tells once more that it failed, where it did.
    if (picture?.complete && picture.naturalWidth === 0) picture.setAttribute("src", picture.src);
  }, []);
  return { isMissing, onError: () => setMissing(src), ref };
}

/** Stands where a picture could not be loaded; `className` is the picture's own, so that nothing moves. */
export function MissingPicture({ className = "", label = "" }: { className?: string; label?: string }) {
  return (
    <span
      className={`${className} ${classes.missing}`}
      data-missing
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    />
  );
}
