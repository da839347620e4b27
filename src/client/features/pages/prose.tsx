import type { ReactNode } from "react";
import { useSite } from "#client/lib/site.ts";
import { companyOf } from "#shared/site/site.ts";
import classes from "./pages.module.css";

/** Running text of ours, in lines that can be read. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={classes.prose}>{children}</div>;
}

export const SiteName = () => useSite().name;

export const CompanyName = () => companyOf(useSite());

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
