import { IconExternalLink } from "@tabler/icons-react";
import { useState } from "react";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { readEmbed } from "#shared/embeds.ts";
import { EmbedPlayer } from "./embed-player.tsx";
import classes from "./video-player.module.css";

type VideoPlayerProps = {
  url: string;
  label: string;
  isWanted?: boolean;
  /** A picture that stands in a video file's place until it is played. */
  poster?: string | undefined;
};

/** Plays a video file, or a video of YouTube, Vimeo or Facebook, in the page; any other address is a link. */
export function VideoPlayer({ url, label, isWanted, poster }: VideoPlayerProps) {
  const embed = readEmbed(url);
  if (embed) return <EmbedPlayer embed={embed} label={label} isWanted={isWanted} />;
  // Films from elsewhere play over https only, as the page's policy says.
  if (url.startsWith("/files/") || /^https:\/\/.+\.(mp4|webm)$/i.test(url))
    return <VideoFile url={url} label={label} poster={poster} />;
  if (!/^https?:\/\//i.test(url)) return null;
  return (
    <a className={classes.link} href={url} target="_blank" rel="noopener noreferrer">
      <IconExternalLink size={18} aria-hidden="true" />
      {label}
    </a>
  );
}

function VideoFile({ url, label, poster }: VideoPlayerProps) {
  const [hasFailed, setHasFailed] = useState(false);
  if (hasFailed) {
    return (
      <ErrorState
        title="This video could not be played."
        text="Please check your internet connection."
        onRetry={() => setHasFailed(false)}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: the farms' own clips come without captions.
    <video
      className={classes.video}
      // The fragment makes browsers show a frame instead of black before it is played.
      src={poster ? url : `${url}#t=0.1`}
      poster={poster}
      controls
      playsInline
      preload="metadata"
      aria-label={label}
      onError={() => setHasFailed(true)}
    />
  );
}
