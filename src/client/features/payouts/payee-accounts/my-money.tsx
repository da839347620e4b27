import { useSite } from "#client/lib/site.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import card from "#client/ui/layout/card.module.css";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { ownPayoutLabels, ownMoneyTexts as texts } from "#shared/payouts/payee-accounts-texts.ts";
import { isOpenPayout, payoutKindLabels } from "#shared/payouts/texts.ts";
import type { Site } from "#shared/site/site.ts";
import { AccountCard } from "./account-card.tsx";
import classes from "./my-money.module.css";
import { WithReferences } from "./with-references.tsx";

type MyMoneyData = RouterOutputs["payeeAccounts"]["mine"];
type OwnPayout = MyMoneyData["payouts"][number];
type OwnAccount = MyMoneyData["account"];

/** The tab Money of a profile: what is due, on its way, was paid or came back, and the account that it goes to. */
export default function MyMoney() {
  // It moves while the backer is away: what was cached minutes ago may be wrong.
  const query = trpc.payeeAccounts.mine.useQuery(undefined, { staleTime: 0 });
  // What was loaded before stays on the screen when asking again fails.
  if (query.isPending) {
    return (
      <Loading label="Loading your money">
        <Skeleton height="10rem" radius="var(--mantine-radius-lg)" />
      </Loading>
    );
  }
  if (!query.data) {
    return (
      <LoadFailed query={query} title="Your money could not be loaded." text="Nothing has changed. Please try again." />
    );
  }
  const { account, payouts, struck, sums } = query.data;
  const waiting = payouts.filter(({ state }) => state === "waiting");
  const inState = (wanted: OwnPayout["state"]) => payouts.filter(({ state }) => state === wanted);
  const lists = (
    <>
      <PayoutList heading="Due to you" payouts={payouts.filter(isOpenPayout)} account={account} />
      <PayoutList heading="On its way" payouts={inState("sent")} account={account} />
      <PayoutList heading="Paid" payouts={inState("paid")} account={account} />
      <PayoutList heading="Came back" payouts={inState("failed").filter((one) => !neverLeft(one))} account={account} />
      <PayoutList heading="Not sent" payouts={inState("failed").filter(neverLeft)} account={account} />
      <Struck struck={struck} />
    </>
  );
  if (waiting.length > 0) {
    return (
      <div className={classes.money}>
        <Sums sums={sums} />
        <MissingAccount waiting={waiting} />
        <AccountCard account={account} isNeeded />
        {lists}
      </div>
    );
  }
  return (
    <div className={classes.money}>
      <Sums sums={sums} />
      {payouts.length === 0 && struck.length === 0 && (
        <section className={classes.nothing}>
          <h2>{texts.nothing}</h2>
          <p>{texts.nothingText}</p>
        </section>
      )}
      {lists}
      <AccountCard account={account} />
    </div>
  );
}

/** Our bank refused it, or two owners say that it didn't leave: so it didn't come back either. */
const neverLeft = ({ returnedFor }: OwnPayout): boolean => returnedFor === null;

/** "Paid ₦4,180,000 · paid back ₦353,084.77 · due ₦260,000". */
function Sums({ sums: { paidKobo, paidBackKobo, dueKobo } }: Pick<MyMoneyData, "sums">) {
  const sums = [
    { name: "Paid", kobo: paidKobo },
    { name: "Paid back", kobo: paidBackKobo },
    { name: "Due", kobo: dueKobo },
  ];
  if (sums.every(({ kobo }) => kobo === 0n)) return null;
  return (
    <dl className={classes.sums}>
      {sums.map(({ name, kobo }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="money">{formatNaira(kobo)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Money waits for an account: how much, and why there is none where the bank gave it back. */
function MissingAccount({ waiting }: { waiting: OwnPayout[] }) {
  const sum = waiting.reduce((total, { amountKobo }) => total + amountKobo, 0n);
  const failed = waiting.flatMap(({ failedBefore }) => failedBefore ?? [])[0];
  const owed = texts.owed(
    sum,
    waiting.map(({ kind }) => kind),
  );
  const title = `${owed} ${failed ? "" : texts.whereTo}`.trim();
  return (
    <Notice tone="caution" title={title}>
      {failed && !failed.isRefused && (
        <p>
          {failed.returnedFor === null ? texts.notSent : texts.cameBack(failed.returnedFor)} {texts.checkAccount}
        </p>
      )}
    </Notice>
  );
}

type PayoutListProps = { heading: string; payouts: OwnPayout[]; account: OwnAccount };

function PayoutList({ heading, payouts, account }: PayoutListProps) {
  if (payouts.length === 0) return null;
  return (
    <section className={classes.section}>
      <h2 className={classes.heading}>{heading}</h2>
      <ul className={classes.list}>
        {payouts.map((payout) => (
          <li key={payout.id} className={classes.payout}>
            <PayoutCard payout={payout} account={account} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Payments of theirs that no longer count, and why. */
function Struck({ struck }: Pick<MyMoneyData, "struck">) {
  if (struck.length === 0) return null;
  return (
    <section className={classes.section}>
      <h2 className={classes.heading}>Payments that no longer count</h2>
      <ul className={classes.list}>
        {struck.map(({ id, amountKobo, projectTitle, reference, struckAt, reason }) => (
          <li key={id} className={classes.payout}>
            <div className={card.sectionHead}>
              <strong className={`money ${classes.amount}`}>{formatNaira(amountKobo)}</strong>
              <StatusBadge tone="negative">{ownStrikeTexts.label}</StatusBadge>
            </div>
            <p>{ownStrikeTexts.reason(reason)}</p>
            <p>
              {ownStrikeTexts.counts} {ownStrikeTexts.stays}
            </p>
            <p className={classes.fine}>
              {projectTitle}, <span className="reference">{reference}</span>, since {formatDate(struckAt)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PayoutCard({ payout, account }: { payout: OwnPayout; account: OwnAccount }) {
  const site = useSite();
  const { amountKobo, kind, projectTitle, reference } = payout;
  return (
    <>
      <div className={card.sectionHead}>
        <strong className={`money ${classes.amount}`}>{formatNaira(amountKobo)}</strong>
        <PayoutBadge
          payout={{ ...payout, isRefused: payout.isRefused || (payout.state === "failed" && neverLeft(payout)) }}
          labels={ownPayoutLabels}
        />
      </div>
      <p>
        <WithReferences>{stateText(site, payout, account)}</WithReferences>
      </p>
      <p className={classes.fine}>
        {payoutKindLabels[kind]}, {projectTitle}, <span className="reference">{reference}</span>
      </p>
    </>
  );
}

/** Where the money is, and what happens next. */
function stateText(site: Site, { state, ...payout }: OwnPayout, account: OwnAccount): string {
  const { amountKobo, failedBefore, isOverdue, kind, paidTo, promisedBy, reference, returnedFor } = payout;
  const went = paidTo ?? "";
  const at = (moment: Date | null, text: (at: Date, reference: string) => string) =>
    moment ? `${went}. ${text(moment, reference)}` : went;
  if (state === "due" && account && payout.isWithheld) return texts.withheld(site, account.masked);
  if (state === "due" && account && promisedBy) {
    return isOverdue ? texts.overdue(account.masked, promisedBy) : texts.due(account.masked, promisedBy);
  }
  if (state === "in_run" && promisedBy) {
    return isOverdue ? texts.overdue(went, promisedBy) : texts.inRun(went, promisedBy);
  }
  if (state === "sent") return at(payout.sentAt, texts.sent);
  if (state === "paid") return at(payout.paidAt, texts.paid);
  if (state === "failed") {
    const notSent = payout.isRefused ? texts.refused : "Our bank did not send it.";
    const why = returnedFor === null ? notSent : `Your bank gave it back: ${returnedFor}.`;
    return `${went && `${went}. `}${payout.failedAt ? `${formatDate(payout.failedAt)}. ` : ""}${why} ${payout.isStruck ? ownStrikeTexts.notDue : "It is due to you again."}`;
  }
  if (failedBefore && !failedBefore.isRefused) {
    const why = failedBefore.returnedFor === null ? texts.notSent : texts.cameBack(failedBefore.returnedFor);
    return `${why} ${texts.checkAccount}`;
  }
  return `${texts.owed(amountKobo, [kind])} ${texts.whereTo}`;
}
