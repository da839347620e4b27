import type { RouterOutputs } from "#client/lib/trpc.ts";
import { type FailedQuery, LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { formatDate } from "#shared/dates.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import { AgreedText } from "./agreed-text.tsx";
import classes from "./agreements.module.css";

type AgreementsProps = {
  query: FailedQuery & { data: RouterOutputs["site"]["ownAgreements"] | undefined };
  /** Said where nothing was kept. */
  empty: string;
};

/** Which texts a person agreed to, when and at what, newest first. Each opens word for word. */
export function Agreements({ query, empty }: AgreementsProps) {
  const { data, error } = query;
  if (!data && error) {
    return <LoadFailed query={query} title={consentTexts.fetchFailed} />;
  }
  if (!data) {
    return (
      <Loading label="Loading what was agreed to">
        <SkeletonText lines={2} />
      </Loading>
    );
  }
  if (data.length === 0) return <p className={classes.dimmed}>{empty}</p>;
  return (
    <ul className={classes.list}>
      {data.map(({ id, kind, page, version, sha256, agreedAt }) => {
        const when = `${formatDate(agreedAt)}, ${consentTexts.kinds[kind]}`;
        return (
          <li key={id}>
            <AgreedText sha256={sha256} page={page} version={version} of={when} />
            <span className={classes.dimmed}>{when}</span>
          </li>
        );
      })}
    </ul>
  );
}
