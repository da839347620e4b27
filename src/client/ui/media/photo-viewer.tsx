import { useState } from "react";
import { type ViewedPhoto, ViewerContent, ViewerDialog, ViewerPhoto } from "./viewer.tsx";

type PhotoViewerProps = {
  title: string;
  photos: readonly ViewedPhoto[];
  /** The place of what was chosen; null while the viewer is closed. */
  opened: number | null;
  onClose: () => void;
  onClosed: () => void;
};

/** A few photos of one page, one at a time. */
export default function PhotoViewer({ title, photos, opened, onClose, onClosed }: PhotoViewerProps) {
  return (
    <ViewerDialog title={title} isOpen={opened !== null} onClose={onClose} onClosed={onClosed}>
      {opened !== null && <Shown key={opened} photos={photos} opened={opened} />}
    </ViewerDialog>
  );
}

function Shown({ photos, opened }: { photos: readonly ViewedPhoto[]; opened: number }) {
  const [place, setPlace] = useState(opened);
  const photo = photos[place];
  return (
    <ViewerContent place={place} total={photos.length} onPlace={setPlace} caption={photo?.label}>
      {photo && <ViewerPhoto key={photo.url} {...photo} />}
    </ViewerContent>
  );
}
