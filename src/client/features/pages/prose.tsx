import type { ReactNode } from "react";
import { brand } from "#shared/brand.ts";
import classes from "./prose.module.css";

/** Running text of ours, in lines that can be read. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={classes.prose}>{children}</div>;
}

export function SupportLink() {
  return <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>;
}
