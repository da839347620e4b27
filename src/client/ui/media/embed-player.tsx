import { useState } from "react";
import { type Embed, embedProviderNames, embedSource } from "#shared/embeds.ts";
import { PlayTile } from "./play-tile.tsx";
import classes from "./video-player.module.css";

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
