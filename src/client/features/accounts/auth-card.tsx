import { type ReactNode, useEffect, useRef } from "react";
import classes from "./auth-card.module.css";

type AuthCardProps = { title: string; text: ReactNode; children?: ReactNode; footer?: ReactNode };

/** The one panel of a sign-in page. */
export function AuthCard({ title, text, children, footer }: AuthCardProps) {
  return (
    <section className={classes.card}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      {children}
      {footer && <p className={classes.footer}>{footer}</p>}
    </section>
  );
}

type NoticeProps = { children: ReactNode; tone?: "negative" | "caution" };

/** A notice about the whole form, above the fields: read out at once, and brought into view from a button far below. */
export function Notice({ children, tone = "negative" }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box} className={classes.notice} data-tone={tone} role="alert">
      {children}
    </div>
  );
}
