import type { ReactNode } from "react";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import classes from "./doc-page.module.css";
import { Prose } from "./prose.tsx";

export type DocSection = {
  /** The target of a link: /creator-resources#photos. */
  id: string;
  title: string;
  content: ReactNode;
};

/** A long text of ours in sections. */
export function DocPage({ title, text, sections }: { title: string; text: string; sections: readonly DocSection[] }) {
  return (
    <DocFrame title={title} text={text} contents={sections}>
      {sections.map((section) => (
        <section key={section.id} id={section.id} className={classes.section} aria-labelledby={`${section.id}-title`}>
          <h2 id={`${section.id}-title`} className={classes.heading}>
            {section.title}
          </h2>
          <Prose>{section.content}</Prose>
        </section>
      ))}
    </DocFrame>
  );
}

type DocFrameProps = {
  title: string;
  text: ReactNode;
  /** Small print under the head. */
  about?: ReactNode;
  /** The most important points, before the text. */
  summary?: ReactNode;
  contents: readonly { id: string; title: string }[];
  children: ReactNode;
};

/** A long text with its contents beside it (above it on phones); made to be printed too. */
export function DocFrame({ title, text, about, summary, contents, children }: DocFrameProps) {
  return (
    <article>
      <PageHead title={title} text={text} />
      {about && <div className={classes.about}>{about}</div>}
      <div className={classes.layout}>
        {contents.length > 0 && (
          <div className={classes.side}>
            <nav className={classes.wideContents} aria-labelledby="contents">
              <p className={classes.contentsTitle} id="contents">
                On this page
              </p>
              <Contents entries={contents} />
            </nav>
            <details className={classes.narrowContents}>
              <summary>On this page</summary>
              <nav aria-label="On this page">
                <Contents entries={contents} />
              </nav>
            </details>
          </div>
        )}
        <div>
          {summary && <div className={classes.summary}>{summary}</div>}
          {children}
        </div>
      </div>
    </article>
  );
}

function Contents({ entries }: { entries: DocFrameProps["contents"] }) {
  return (
    <ul className={classes.contents}>
      {entries.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  );
}
