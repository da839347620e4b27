import { IconExternalLink, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useState } from "react";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { type Embed, embedProviderNames, embedSource, readEmbed } from "#shared/embeds.ts";
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

type EmbedPlayerProps = {
  embed: Embed;
  label: string;
  /** Somebody has asked for just this video: it plays without another click. */
  isWanted?: boolean;
};

/** A video of YouTube, Vimeo or Facebook. Its service is asked for nothing before somebody wants to see it. */
export function EmbedPlayer({ embed, label, isWanted = false }: EmbedPlayerProps) {
  const [isPlaying, setIsPlaying] = useState(isWanted);
  if (!isPlaying) {
    const provider = embedProviderNames[embed.kind];
    return (
      <PlayTile
        label={label}
        note={`From ${provider}, which learns of your visit when you play it.`}
        onPlay={() => setIsPlaying(true)}
      />
    );
  }
  const source = new URL(embedSource(embed));
  source.searchParams.set("autoplay", embed.kind === "facebook" ? "true" : "1");
  return (
    <iframe
      // The focus was on the tile that it replaces.
      ref={(frame) => {
        if (!isWanted) frame?.focus({ preventScroll: true });
      }}
      className={classes.video}
      src={source.href}
      title={label}
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation"
      // YouTube plays nothing without knowing the site.
      referrerPolicy="strict-origin-when-cross-origin"
    />
  );
}

type PlayTileProps = {
  label: string;
  /** The consequences of playing it: who is asked for it, what it costs. */
  note: string;
  onPlay: () => void;
};

/** Stands in a video's place until somebody wants it: before, nothing of it is fetched. */
export function PlayTile({ label, note, onPlay }: PlayTileProps) {
  return (
    <button type="button" className={classes.tile} onClick={onPlay}>
      <span className={classes.mark}>
        <IconPlayerPlayFilled size={24} aria-hidden="true" />
      </span>
      <span className={classes.label}>
        <span className="visually-hidden">Play: </span>
        {label}
      </span>
      <span className={classes.note}>{note}</span>
    </button>
  );
}
