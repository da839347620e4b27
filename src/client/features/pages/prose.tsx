import type { ReactNode } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import classes from "./pages.module.css";

/** Running text of ours, in lines that can be read. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={classes.prose}>{children}</div>;
}

type Figures = RouterOutputs["site"]["figures"];

/** A figure of the site's settings, in words: "5%", "24 hours", "5 working days". */
export function Figure({ of }: { of: Exclude<keyof Figures, "holdsLots"> }) {
  return trpc.site.figures.useQuery().data?.[of] ?? "…";
}

/** Shows how long lots are held, or that they aren't. */
export function WhereHeld({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) {
  return trpc.site.figures.useQuery().data?.holdsLots === false ? otherwise : children;
}

/** A part of a page under its own heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <h2 className={classes.partTitle}>{title}</h2>
      {children}
    </section>
  );
}

/** A picture of ours, 4:3. It decorates: the text beside it says it all. */
export function Art({ name, isEager = false }: { name: string; isEager?: boolean }) {
  return (
    <img
      className={classes.art}
      src={`/art/${name}.svg`}
      alt=""
      width={240}
      height={180}
      loading={isEager ? "eager" : "lazy"}
    />
  );
}
