import { type ReactNode, useState } from "react";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { formatDate } from "#shared/dates.ts";
import classes from "./doc-page.module.css";
import { Prose } from "./prose.tsx";

export type DocSection = {
  /** What a link leads to: /terms#refunds. */
  id: string;
  title: string;
  content: ReactNode;
};

type DocPageProps = {
  title: string;
  text: string;
  /** What matters most, before the sections. */
  summary?: ReactNode;
  sections: readonly DocSection[];
  /** Legal pages say when they were last updated: today (Product decision). */
  isLegal?: boolean;
};

/** A long text in sections, with its contents beside it (above it on phones); made to be printed too. */
export function DocPage({ title, text, summary, sections, isLegal = false }: DocPageProps) {
  const [today] = useState(() => new Date());
  return (
    <article>
      <PageHead title={title} text={text} />
      {isLegal && (
        <p className={classes.updated}>
          Last updated: <time dateTime={today.toISOString()}>{formatDate(today)}</time>
        </p>
      )}
      <div className={classes.layout}>
        <div className={classes.side}>
          <nav className={classes.wideContents} aria-labelledby="contents">
            <p className={classes.contentsTitle} id="contents">
              On this page
            </p>
            <Contents sections={sections} />
          </nav>
          <details className={classes.narrowContents}>
            <summary>On this page</summary>
            <nav aria-label="On this page">
              <Contents sections={sections} />
            </nav>
          </details>
        </div>
        <div>
          {summary && <div className={classes.summary}>{summary}</div>}
          {sections.map((section) => (
            <section
              key={section.id}
              id={section.id}
              className={classes.section}
              aria-labelledby={`${section.id}-title`}
            >
              <h2 id={`${section.id}-title`} className={classes.heading}>
                {section.title}
              </h2>
              <Prose>{section.content}</Prose>
            </section>
          ))}
        </div>
      </div>
    </article>
  );
}

function Contents({ sections }: { sections: readonly DocSection[] }) {
  return (
    <ul className={classes.contents}>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  );
}
