import { IconChevronLeft, IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { mailTexts } from "#shared/dashboard/mail-texts.ts";
import { type SetupStep, setupStepNames } from "#shared/site/setup-texts.ts";
import { MailStep } from "./mail-step.tsx";
import { RulesStep, rulesText } from "./rules-step.tsx";
import classes from "./set-up.module.css";

type SetUpState = RouterOutputs["setup"]["steps"];

/** The steps that are left until the site is its operator's: all with their state, or one of them. */
export function SetUp({ step }: { step?: "mail" | "rules" | undefined }) {
  const query = trpc.setup.steps.useQuery(undefined, { staleTime: 0 });
  const { data, error, isFetching } = query;
  if (!data) {
    return (
      <>
        <PageHead title="Set up this site" />
        {error && !isFetching ? (
          <LoadFailed query={query} title="The steps could not be loaded" />
        ) : (
          <Loading label="Loading the steps">
            <Skeleton height="32rem" radius="var(--mantine-radius-lg)" />
          </Loading>
        )}
      </>
    );
  }
  if (step === undefined) return <Steps state={data} />;
  const { isDone } = data.steps.find((one) => one.step === step) ?? { isDone: false };
  return (
    <>
      <TextLink to="/admin/set-up" className={classes.back}>
        <IconChevronLeft size={18} aria-hidden="true" /> All steps
      </TextLink>
      <PageHead title={titles[step]} aside={<State isDone={isDone} />} />
      {step === "mail" ? (
        <MailStep mail={data.mail} isDone={isDone} />
      ) : (
        <RulesStep rules={data.rules} isDone={isDone} />
      )}
    </>
  );
}

const titles: Record<SetupStep, string> = {
  you: "You",
  company: "Company",
  look: "Look",
  bank: "Bank account",
  mail: "Mail",
  texts: "Legal texts",
  rules: "Rules",
  second_owner: "Second owner",
};

function State({ isDone }: { isDone: boolean }) {
  return <StatusBadge tone={isDone ? "positive" : "waiting"}>{isDone ? "Done" : "To do"}</StatusBadge>;
}

function Steps({ state }: { state: SetUpState }) {
  const { steps, isClosedForMoney } = state;
  const first = steps.find(({ isDone }) => !isDone)?.step;
  const done = steps.filter(({ isDone }) => isDone).length;
  const missing = steps.filter(({ step, isDone }) => needed.has(step) && !isDone);
  return (
    <>
      <PageHead
        title="Set up this site"
        text={first ? `${done} of ${steps.length} done. Take the rest in any order.` : "All of it is done."}
      />
      {isClosedForMoney && (
        <Notice tone="caution" title="Nobody can pay yet">
          <p>
            Backers read that payment details are not available until these are done:{" "}
            {missing.map(({ step }) => setupStepNames[step]).join(", ")}.
          </p>
        </Notice>
      )}
      <ol className={classes.steps}>
        {steps.map(({ step, isDone }) => (
          <li key={step} className={classes.step} data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheckFilled className={classes.icon} size={24} aria-hidden="true" />
            ) : (
              <IconCircle className={classes.icon} size={24} stroke={1.75} aria-hidden="true" />
            )}
            <div className={classes.words}>
              <h2 className={classes.title}>
                {titles[step]}
                <span className="visually-hidden">{isDone ? ", done" : ", to do"}</span>
              </h2>
              <p className={classes.text}>{textOf(step, state, isDone)}</p>
            </div>
            <Action step={step} isDone={isDone} isNext={step === first} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The steps that a real site needs before anybody can pay. */
const needed = new Set<SetupStep>(["company", "bank", "mail", "texts"]);

function textOf(
  step: SetupStep,
  { company, bankDetails, mail, rules, invited }: SetUpState,
  isDone: boolean,
): ReactNode {
  switch (step) {
    case "you":
      return isDone
        ? "An owner's account, with a second factor."
        : "Your account owns this site. A second factor keeps it yours.";
    case "company":
      return isDone
        ? [company.legalName, company.companyNumber].filter(Boolean).join(", ")
        : "Who runs this site and how to reach you: in the footer, on mails and on papers.";
    case "look":
      return "Your colour and mark on pages, mails and receipts.";
    case "bank":
      return bankDetails
        ? `${bankDetails.bankName}, ${bankDetails.accountNumber}, ${bankDetails.accountName}`
        : "The account that backers transfer to.";
    case "mail":
      if (mail.isKept) return mailTexts.staysHere;
      return isDone ? "A mailed code has arrived." : "A mailed code shows that mails leave this server.";
    case "texts":
      return isDone
        ? "Terms and privacy policy are your own."
        : "Terms and privacy policy: have your lawyer read the drafts, then adopt them or write your own.";
    case "rules":
      return rulesText(rules);
    case "second_owner":
      if (isDone) return "Two owners confirm what one must not do alone.";
      return invited === null
        ? "Another owner confirms what one must not do alone."
        : `${invited} is invited, and hasn't come yet.`;
  }
}

/** The way to where it is done. The first that is open is the one to go on with. */
function Action({ step, isDone, isNext }: { step: SetupStep; isDone: boolean; isNext: boolean }) {
  const look = {
    className: classes.action,
    size: "sm",
    variant: isNext ? "filled" : isDone ? "subtle" : "default",
    "aria-label": `${isDone ? "Change" : "Set up"}: ${titles[step]}`,
  } as const;
  const label = isDone ? "Change" : "Set up";
  switch (step) {
    case "you":
      return isDone ? null : (
        <LinkButton {...look} to="/admin/two-factor" search={{ next: "/admin/set-up" }}>
          {label}
        </LinkButton>
      );
    case "company":
      return (
        <LinkButton {...look} to="/admin/settings" search={{ tab: "site" }}>
          {label}
        </LinkButton>
      );
    case "look":
    case "texts":
      return (
        <LinkButton {...look} to="/admin/settings" search={{ tab: "site", section: step }}>
          {label}
        </LinkButton>
      );
    case "bank":
      return (
        <LinkButton {...look} to="/admin/settings">
          {label}
        </LinkButton>
      );
    case "mail":
    case "rules":
      return (
        <LinkButton {...look} to="/admin/set-up" search={{ step }}>
          {label}
        </LinkButton>
      );
    case "second_owner":
      return (
        <LinkButton {...look} to="/admin/settings" search={{ tab: "admins" }}>
          {label}
        </LinkButton>
      );
  }
}
