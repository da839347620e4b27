import type { ReactNode } from "react";
import classes from "./auth-card.module.css";

type AuthCardProps = { title: string; text: string; children: ReactNode; footer?: ReactNode };

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

type NoticeProps = { title?: string; children?: ReactNode; tone?: "negative" | "caution" };

/** What went wrong, above the fields; read out at once. */
export function Notice({ title, children, tone = "negative" }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} role="alert">
      {title && <p className={classes.noticeTitle}>{title}</p>}
      {children}
    </div>
  );
}
