import { IconExternalLink } from "@tabler/icons-react";
import classes from "./media.module.css";
import { youtubeId } from "./youtube-id.ts";

/** Plays a video file or a YouTube entry (from the no-cookie domain) in the page; anything else is a link. */
export function VideoPlayer({ url, label }: { url: string; label: string }) {
  const id = youtubeId(url);
  if (id) {
    return (
      <iframe
        className={classes.video}
        src={`https://www.youtube-nocookie.com/embed/${id}`}
        title={label}
        loading="lazy"
        allow="fullscreen; picture-in-picture"
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
        referrerPolicy="strict-origin-when-cross-origin"
      />
    );
  }
  if (/\.(mp4|webm)$/i.test(url) || url.startsWith("/files/")) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the farms' own clips come without captions.
      <video className={classes.video} src={url} controls playsInline preload="metadata" aria-label={label} />
    );
  }
  if (!/^https?:\/\//i.test(url)) return null;
  return (
    <a className={classes.link} href={url} target="_blank" rel="noopener noreferrer">
      <IconExternalLink size={18} aria-hidden="true" />
      {label}
    </a>
  );
}
