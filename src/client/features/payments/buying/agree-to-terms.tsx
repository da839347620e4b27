import "#client/ui/mantine/fields.css";
import { Button, Checkbox } from "@mantine/core";
import { useId, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Clauses } from "#client/ui/layout/clauses.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { holdTexts } from "#shared/projects/holds-texts.ts";
import { lotProduceText } from "#shared/projects/lot-produce.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { siteTermsLine } from "#shared/site/consent-texts.ts";
import classes from "./back-project-page.module.css";
import { type PaymentPage, useRefreshPaymentPage } from "./use-payment-page.ts";

/** The harvest terms and the tick that shows the bank details. */
export function AgreeToTerms({ page, lots }: { page: PaymentPage; lots: number }) {
  const { project, terms, siteTerms, round } = page;
  const utils = trpc.useUtils();
  const { refresh } = useRefreshPaymentPage(project.id);
  const begin = trpc.payments.begin.useMutation({
    onError: (error) => {
      toast.error(errorText(error));
      // The terms may have changed since the page was opened.
      void utils.auth.viewer.invalidate();
    },
    onSettled: refresh,
  });
  return (
    <TermsForm
      page={page}
      lots={lots}
      label={
        page.hold && page.hold.hours > 0
          ? holdTexts.hold(lots, page.hold.hours, round.lotPriceKobo * BigInt(lots))
          : "Show the bank details"
      }
      refusal={begin.error ? errorText(begin.error) : null}
      isPending={begin.isPending}
      onAgree={() =>
        begin.mutate({
          projectId: project.id,
          lots,
          termsVersion: terms.version,
          siteTerms: siteTerms.sha256,
          hasReadTerms: true,
        })
      }
    />
  );
}

type TermsFormProps = {
  page: PaymentPage;
  lots: number;
  /** The button's label. */
  label: string;
  refusal: string | null;
  isPending: boolean;
  onAgree: () => void;
};

/** The terms that lots are bought by, the tick, and the button that needs it. */
export function TermsForm({ page, lots, label, refusal, isPending, onAgree }: TermsFormProps) {
  const { terms, siteTerms, round } = page;
  const produce = lotProduceText(terms.plan, { lots, roundLots: round.lots });
  const headingId = useId();
  const [hasRead, setHasRead] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const tick = useRef<HTMLInputElement>(null);
  const go = () => {
    setIsMissing(!hasRead);
    if (!hasRead) return tick.current?.focus();
    onAgree();
  };
  return (
    <form
      className={classes.terms}
      noValidate
      aria-labelledby={headingId}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <h2 id={headingId} className={classes.stepTitle}>
        Harvest terms
      </h2>
      {produce && <p>{produce}</p>}
      <Clauses clauses={terms.clauses} />
      <p>{termsTexts.afterwards}</p>
      <Checkbox
        ref={tick}
        label={termsTexts.tick}
        description={
          <>
            and{" "}
            <TextLink to="/terms" target="_blank" inherit>
              {siteTermsLine(siteTerms.version)}
            </TextLink>
          </>
        }
        checked={hasRead}
        error={isMissing && !hasRead ? termsTexts.tickMissing : undefined}
        onChange={({ currentTarget }) => setHasRead(currentTarget.checked)}
      />
      {refusal !== null && (
        <Notice tone="negative" title={refusal} isAlert>
          <p>Nothing was kept yet. Please look at the terms again and press once more.</p>
        </Notice>
      )}
      <Button
        type="submit"
        size="lg"
        className={classes.hold}
        classNames={{ label: classes.holdWords }}
        loading={isPending}
      >
        {label}
      </Button>
    </form>
  );
}
