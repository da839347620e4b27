import { useCallback, useEffect, useState } from "react";
import classes from "./missing-picture.module.css";

type Missing = {
  isMissing: boolean;
  onError: () => void;
  /** For pictures that the server paints: such a one may have failed before anybody listened. */
  ref: (picture: HTMLImageElement | null) => void;
};

/** Whether the picture or film at this address could not be loaded. It is tried again once there is a connection. */
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
