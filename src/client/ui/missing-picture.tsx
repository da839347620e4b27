import { useEffect, useState } from "react";
import classes from "./missing-picture.module.css";

/** Whether the picture or film at this address could not be loaded. It is tried again once there is a connection. */
export function useMissing(src: string): { isMissing: boolean; onError: () => void } {
  const [missing, setMissing] = useState<string>();
  const isMissing = missing === src;
  useEffect(() => {
    if (!isMissing) return;
    const tryAgain = () => setMissing(undefined);
    window.addEventListener("online", tryAgain);
    return () => window.removeEventListener("online", tryAgain);
  }, [isMissing]);
  return { isMissing, onError: () => setMissing(src) };
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
