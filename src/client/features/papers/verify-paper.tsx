import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { errorReason } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { codeInGroups, paperCodePattern, paperKindLabels, paperTexts, readPaperCode } from "#shared/papers/texts.ts";
import classes from "./papers.module.css";

/** Tells whoever holds a paper if it is genuine, by its code in the address, or typed. */
export function VerifyPaper({ code }: { code?: string }) {
  const navigate = useNavigate();
  const known = code === undefined ? "" : readPaperCode(code);
  const [typed, setTyped] = useState(codeInGroups(known));
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readPaperCode(typed);
    if (!paperCodePattern.test(read)) return setFault(paperTexts.codeInvalid);
    setFault(null);
    void navigate({ to: "/verify/$code", params: { code: read } });
  };
  return (
    <div className={classes.verify}>
      <h1>Is this paper genuine?</h1>
      <p>
        Every paper that we make about somebody's money has a code beside its QR code. Type the code here, and compare
        what we show with the paper.
      </p>
      {known && <Answer code={known} />}
      <form className={classes.code} onSubmit={submit} noValidate>
        <TextInput
          label="Code on the paper"
          description={paperTexts.codeHint}
          name="code"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          value={typed}
          error={fault}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit">Check the code</Button>
      </form>
    </div>
  );
}

function Answer({ code }: { code: string }) {
  const query = trpc.papers.verify.useQuery({ code }, { retry: false, staleTime: 0 });
  if (query.isPending) {
    return (
      <Loading label="Looking for the paper">
        <Skeleton height="11rem" radius="var(--mantine-radius-lg)" />
      </Loading>
    );
  }
  if (query.data) return <Genuine paper={query.data} />;
  if (!["not_found", "invalid"].includes(errorReason(query.error))) {
    return <LoadFailed query={query} title="We could not look for the paper." />;
  }
  return (
    <Notice tone="negative" title="We have no such paper" isAlert>
      <p>
        Compare the code with the one on the paper. If they are the same, the paper isn't ours: don't rely on it, and{" "}
        <TextLink to="/contact">tell us where you got it</TextLink>.
      </p>
    </Notice>
  );
}

function Genuine({ paper }: { paper: RouterOutputs["papers"]["verify"] }) {
  const { kind, code, number, amountKobo, issuedAt, replacedAt, books } = paper;
  return (
    <section className={classes.answer} aria-label="What we know of this paper">
      {books && !books.isInChain && (
        <Notice tone="negative" title="Our books were changed since this paper was made" isAlert>
          <p>What it rests on is no longer in them as it was. Keep the paper: it shows what they said then.</p>
        </Notice>
      )}
      {replacedAt ? (
        <Notice tone="caution" title="This paper is genuine, but no longer valid">
          <p>
            It is no longer valid since {formatDate(replacedAt)}: what it tells of was taken back, or a newer paper took
            its place.
          </p>
        </Notice>
      ) : (
        <Notice tone="positive" title="This paper is genuine and valid">
          <p>The paper must show the same as below.</p>
        </Notice>
      )}
      <dl className={classes.facts}>
        <div>
          <dt>Code</dt>
          <dd className={classes.verifiedCode}>{codeInGroups(code)}</dd>
        </div>
        <div>
          <dt>Kind</dt>
          <dd>{paperKindLabels[kind]}</dd>
        </div>
        <div>
          <dt>Number</dt>
          <dd className="reference">{number}</dd>
        </div>
        <div>
          <dt>Amount</dt>
          <dd className="money">{formatNairaExact(amountKobo)}</dd>
        </div>
        <div>
          <dt>Made on</dt>
          <dd>{formatDate(issuedAt)}</dd>
        </div>
        {books && (
          <div>
            <dt>{books.isInChain ? "Books, unchanged since" : "Books, changed since"}</dt>
            <dd className="reference">{books.text}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
