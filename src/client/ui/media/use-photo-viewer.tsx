import { type ReactNode, Suspense, useRef, useState } from "react";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import type { ViewedPhoto } from "./viewer.tsx";

const PhotoViewer = lazyDialog(() => import("./photo-viewer.tsx"));

type Opened = {
  /** Opens the photo at a place. The keyboard returns to `opener` afterwards. */
  open: (place: number, opener: HTMLElement) => void;
  viewer: ReactNode;
};

/** A viewer of a few photos, whose code is fetched when it is first opened. */
export function usePhotoViewer(title: string, photos: readonly ViewedPhoto[]): Opened {
  const [opened, setOpened] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLElement>(null);
  return {
    open: (place, from) => {
      opener.current = from;
      setOpened(place);
      setWasOpened(true);
    },
    viewer: wasOpened && (
      <Suspense>
        <PhotoViewer
          title={title}
          photos={photos}
          opened={opened}
          onClose={() => setOpened(null)}
          onClosed={() => opener.current?.focus()}
        />
      </Suspense>
    ),
  };
}
