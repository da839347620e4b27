import { errorText } from "#client/lib/errors.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { formatDate } from "#shared/dates.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import { AgreedText } from "./agreed-text.tsx";
import classes from "./agreements.module.css";

type AgreementsProps = {
  query: {
    data: RouterOutputs["site"]["ownAgreements"] | undefined;
    error: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  /** Said where nothing was kept. */
  empty: string;
};

/** Which texts a person agreed to, when and at what, newest first. Each opens word for word. */
export function Agreements({ query: { data, error, isFetching, refetch }, empty }: AgreementsProps) {
  if (!data && error) {
    return (
      <ErrorState
        title={consentTexts.fetchFailed}
        text={errorText(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
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
