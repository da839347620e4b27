import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Notice } from "#client/ui/feedback/notice.tsx";
import type { OwnPage } from "#shared/site/pages.ts";
import classes from "./page-text.module.css";

/** A piece of an operator's text, which the server has sanitised. Links within the site don't load the page anew. */
export function PageText({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  const router = useRouter();
  useEffect(() => {
    const text = place.current;
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const href = link?.getAttribute("href");
      const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!href?.startsWith("/") || !isPlain) return;
      event.preventDefault();
      router.history.push(href);
    };
    text?.addEventListener("click", follow);
    return () => text?.removeEventListener("click", follow);
  }, [router]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server's allowlist when it was saved.
  return <div ref={place} className={classes.text} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** The sentence under the title. */
export function PageLead({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server's allowlist when it was saved.
  return <span dangerouslySetInnerHTML={{ __html: html }} />;
}

/** The most important points before the text. Terms have something to warn of. */
export function PageSummary({ page, title, html }: { page: OwnPage; title: string; html: string }) {
  return (
    <Notice tone={page === "terms" ? "caution" : "neutral"} title={title}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server's allowlist when it was saved. */}
      <section dangerouslySetInnerHTML={{ __html: html }} />
    </Notice>
  );
}
