import { type ReactNode, Suspense } from "react";
import { useAdminFlag } from "#client/lib/session/admin-flag.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PageLead, PageSummary, PageText } from "#client/shared-parts/page-text.tsx";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { formatDate, formatDay } from "#shared/dates.ts";
import { pageTextTexts as texts } from "#shared/site/page-texts.ts";
import { type OwnPage, pageTitles } from "#shared/site/pages.ts";
import { DocFrame } from "./doc-page.tsx";
import pageClasses from "./pages.module.css";

const DraftNotice = lazyPart(() => import("./draft-notice.tsx"));

type Text = RouterOutputs["site"]["page"];
type OwnPageProps = { page: OwnPage; version?: number | undefined };

/** One of the texts that the operator answers for: the one in force, or the version that the address names. */
export function LegalPage({ page, version }: OwnPageProps) {
  return (
    <Loaded page={page} version={version}>
      {(text) => (
        <DocFrame
          title={pageTitles[page]}
          text={<PageLead html={text.lead} />}
          about={
            <>
              <p>
                Last updated: <time dateTime={text.today}>{formatDay(text.today)}</time>
              </p>
              <Versions text={text} />
            </>
          }
          summary={text.summary && <PageSummary page={page} {...text.summary} />}
          contents={text.contents}
        >
          <PageText html={text.body} />
        </DocFrame>
      )}
    </Loaded>
  );
}

/** The operator's own story, beside our picture. */
export function AboutPage({ version }: Pick<OwnPageProps, "version">) {
  return (
    <Loaded page="about" version={version}>
      {(text) => (
        <>
          <PageHead title={pageTitles.about} text={<PageLead html={text.lead} />} />
          <img
            className={pageClasses.scene}
            src="/art/founders.svg"
            alt="Two people beside a fish pond, with a young tree sign, hens and a water tank"
            width={1200}
            height={600}
            fetchPriority="high"
          />
          <div className={pageClasses.lead}>
            {text.state !== "in_force" && <StateNotice text={text} />}
            {text.summary && <PageSummary page="about" {...text.summary} />}
            <PageText html={text.body} />
            <LinkButton to="/discover" size="lg" mt="md">
              Discover projects
            </LinkButton>
          </div>
        </>
      )}
    </Loaded>
  );
}

function Loaded({ page, version, children }: OwnPageProps & { children: (text: Text) => ReactNode }) {
  const current = trpc.site.page.useQuery({ page }, { enabled: version === undefined });
  const named = trpc.site.pageVersion.useQuery({ page, version: version ?? 1 }, { enabled: version !== undefined });
  const query = version === undefined ? current : named;
  const { data, error } = query;
  const mayBeOwner = useAdminFlag();
  if (data) {
    return (
      <>
        {mayBeOwner && data.isShipped && (
          <Suspense>
            <DraftNotice />
          </Suspense>
        )}
        {children(data)}
      </>
    );
  }
  if (!error) return <TextSkeleton title={pageTitles[page]} />;
  return (
    <LoadFailed
      query={query}
      level={1}
      title={version === undefined ? "This page could not be loaded" : pageTitles[page]}
    />
  );
}

function TextSkeleton({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <Loading>
        <Skeleton height="40rem" radius="var(--mantine-radius-lg)" />
      </Loading>
    </>
  );
}

/** Which version it is, since when, and those before it. The text that the software brings has none. */
function Versions({ text }: { text: Text }) {
  const { isShipped, state, version, inForceFrom, others } = text;
  if (isShipped || inForceFrom === null) return null;
  if (state !== "in_force") return <StateNotice text={text} />;
  return (
    <>
      <p>
        Version {version}, in force since <time dateTime={inForceFrom.toISOString()}>{formatDate(inForceFrom)}</time>.
      </p>
      {others.length > 0 && (
        <details>
          <summary>Earlier versions</summary>
          <ul>
            {others.map((one) => (
              <li key={one.version}>
                <a href={`?version=${one.version}`}>Version {one.version}</a>, in force from{" "}
                {formatDate(one.inForceFrom)}
                {one.until && ` to ${formatDate(one.until)}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function StateNotice({ text: { page, state, version, inForceFrom, until } }: { text: Text }) {
  if (state === "coming") {
    return (
      <Notice tone="waiting" title={texts.notYetInForce}>
        <p>
          Version {version}
          {inForceFrom && ` will be in force from ${formatDate(inForceFrom)} on`}.
          {page !== "terms" && " Only owners see it until then."}
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="caution" title={state === "past" ? texts.noLongerInForce : "Never in force"}>
      <p>
        {state === "past" && inForceFrom && until
          ? `Version ${version} was in force from ${formatDate(inForceFrom)} to ${formatDate(until)}. `
          : `A later version took the place of version ${version} before its day. `}
        <a href={`/${page}`}>Read the version in force</a>
      </p>
    </Notice>
  );
}
