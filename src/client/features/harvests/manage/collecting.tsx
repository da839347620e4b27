import { IconArrowLeft } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useLive } from "#client/lib/live.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import classes from "./collecting.module.css";
import { CheckStep, CodeStep, type CollectingCalls, DoneStep, type Step } from "./collecting-steps.tsx";
import {
  type CollectionFacts,
  collectedWords,
  collectionState,
  fullMoment,
  nameOf,
  useRefetchHarvests,
} from "./harvest-data.ts";

/** The screen of an administrator who hands a harvest's produce out. */
export default function ManagedCollecting({ harvestId }: { harvestId: number }) {
  const query = trpc.harvests.collection.useQuery({ harvestId }, { staleTime: 0 });
  const { client } = trpc.useUtils();
  const calls: CollectingCalls = {
    find: (code) => client.harvests.findProduce.mutate({ harvestId, code }),
    collect: (code) => client.harvests.collect.mutate({ harvestId, code }),
  };
  return (
    <Collecting
      query={query}
      calls={calls}
      back={({ projectId }) => (
        <LinkButton
          to="/admin/project/$id"
          params={{ id: String(projectId) }}
          search={{ tab: "harvests" }}
          {...backLook}
        >
          Back to the harvests
        </LinkButton>
      )}
    />
  );
}

type CollectingProps = {
  query: {
    data: CollectionFacts | undefined;
    isFetchedAfterMount: boolean;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
    isRefetching: boolean;
  };
  calls: CollectingCalls;
  back: (facts: CollectionFacts) => ReactNode;
};

/** A code, then whose it is and how much, then the next person: for an administrator and for a farm's keeper. */
export function Collecting({ query, calls, back }: CollectingProps) {
  const refetch = useRefetchHarvests();
  // Of an earlier visit it may say that produce is handed out still.
  const facts = query.isFetchedAfterMount ? query.data : undefined;
  useLive("harvests", (ofProject) => {
    if (ofProject === null || ofProject === facts?.projectId) void refetch();
  });
  if (!facts) {
    if (!query.isError) {
      return (
        <Loading label="Loading the harvest">
          <Skeleton height="4rem" />
          <Skeleton height="20rem" radius="var(--mantine-radius-lg)" />
        </Loading>
      );
    }
    return <LoadFailed query={query} level={1} title={texts.oneLoadFailed} />;
  }
  const state = collectionState(facts);
  return (
    <>
      {back(facts)}
      <PageHead title="Hand produce over" text={aboutOf(facts)} />
      {state === "open" ? (
        <Steps calls={calls} facts={facts} />
      ) : (
        <EmptyState picture="/art/step-harvest.svg" title={closedWords(facts, state)} />
      )}
      {state !== "none" && <p className={classes.count}>{collectedWords(facts)}</p>}
    </>
  );
}

/** How the way back to where one came from looks. */
export const backLook = {
  variant: "subtle",
  size: "sm",
  className: classes.back,
  leftSection: <IconArrowLeft size={18} aria-hidden="true" />,
} as const;

/** "Harvest 1 of Ponds at Epe, until Sunday 15 Mar 2026, 23:59 WAT at Moniya market, Ibadan." */
function aboutOf(facts: CollectionFacts): string {
  const { projectTitle, collectsUntil, collectionPlace } = facts;
  const until = collectionState(facts) === "open" && collectsUntil && `, until ${fullMoment(collectsUntil)}`;
  return `${nameOf(facts)} of ${projectTitle}${until || ""}${until && collectionPlace ? ` at ${collectionPlace}` : ""}.`;
}

function closedWords({ state, takers, collected }: CollectionFacts, is: "none" | "over"): string {
  if (state === "lost") return harvestTexts.lost;
  if (is === "none")
    return state === "choosing" || state === "draft" ? harvestTexts.notAllotted : "Nobody takes produce.";
  return takers === collected ? "Everything was collected." : "The time for collecting is over.";
}

function Steps({ calls, facts }: { calls: CollectingCalls; facts: CollectionFacts }) {
  const [step, setStep] = useState<Step>({ is: "code" });
  const toCode = () => setStep({ is: "code" });
  switch (step.is) {
    case "code":
      return <CodeStep find={calls.find} onFound={(code, produce) => setStep({ is: "check", code, produce })} />;
    case "check":
      return (
        <CheckStep
          hand={calls.collect}
          facts={facts}
          code={step.code}
          produce={step.produce}
          onHanded={(handed) => setStep({ is: "done", handed })}
          onBack={toCode}
        />
      );
    case "done":
      return <DoneStep handed={step.handed} unit={facts.unit} onNext={toCode} />;
  }
}
