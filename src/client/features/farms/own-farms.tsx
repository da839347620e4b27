import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { formatCount } from "#client/lib/format.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { type Column, DataTable } from "#client/ui/lists/data-table.tsx";
import { ListContent } from "#client/ui/lists/list-page.tsx";
import { formatDate, formatDateTime } from "#shared/dates.ts";
import { farmRoleLabels, placeOf } from "#shared/farms/texts.ts";
import { formatNairaExact } from "#shared/money.ts";
import { farmPayoutLabels } from "#shared/payouts/payee-accounts-texts.ts";
import classes from "./farms.module.css";

type OwnFarm = RouterOutputs["farms"]["mine"][number];
type OwnProject = OwnFarm["projects"][number];
type Payout = RouterOutputs["farms"]["money"][number];

const failure = "Your farms could not be loaded.";

type OwnFarmsProps = {
  hasFarm: boolean;
  /** The years before this site of a farm that the person keeps. */
  past: (farmId: number, farm: string) => ReactNode;
};

/** /farm: the farms that somebody works for, what each has to report next, and what money went there. */
export function OwnFarms({ hasFarm, past }: OwnFarmsProps) {
  const query = trpc.farms.mine.useQuery(undefined, { enabled: hasFarm, staleTime: 0 });
  const kept = query.data?.filter(({ role }) => role === "keeper") ?? [];
  return (
    <div className={classes.screen}>
      <PageHead title="My farms" />
      {hasFarm ? (
        <ListContent
          query={query}
          rows={query.data}
          loading={
            <Loading label="Loading your farms">
              <Skeleton height="12rem" radius="var(--mantine-radius-lg)" />
            </Loading>
          }
          failure={failure}
          empty={<NoFarm />}
        >
          {(farms) => farms.map((farm) => <FarmCard key={farm.id} farm={farm} />)}
        </ListContent>
      ) : (
        <NoFarm />
      )}
      {kept.length > 0 && <FarmMoney />}
      {kept.map(({ id, name }) => past(id, name))}
    </div>
  );
}

function NoFarm() {
  return (
    <EmptyState
      picture="/art/empty-projects.svg"
      title="You don't work for a farm"
      text="Whoever runs this site invites a farm's people by mail. Open the link in that mail, and the farm appears here."
    />
  );
}

function FarmCard({ farm }: { farm: OwnFarm }) {
  return (
    <SectionCard
      title={farm.name}
      text={placeOf(farm)}
      aside={<StatusBadge tone="neutral">{farmRoleLabels[farm.role]}</StatusBadge>}
    >
      {farm.projects.length === 0 ? (
        <p className={classes.none}>This farm runs no project yet. Reports begin when one is funded.</p>
      ) : (
        <ul className={classes.list}>
          {farm.projects.map((project) => (
            <ProjectRow key={project.id} project={project} isKeeper={farm.role === "keeper"} />
          ))}
        </ul>
      )}
    </SectionCard>
  );
}

function ProjectRow({ project, isKeeper }: { project: OwnProject; isKeeper: boolean }) {
  const { id, title, report, round, outcome } = project;
  const hasHarvests = outcome === "funded" || round > 1;
  return (
    <li>
      <div className={classes.project}>
        <span className={classes.name}>{title}</span>
        <AwaitedReport report={report} />
      </div>
      <div className={classes.buttons}>
        {report?.isOpen && (
          <Button component="a" href={`/farm/${id}/report`}>
            Write report {report.number}
          </Button>
        )}
        {isKeeper && hasHarvests && (
          <LinkButton
            to="/farm/$projectId/harvests"
            params={{ projectId: String(id) }}
            variant="default"
            aria-label={`Harvests of ${title}`}
          >
            Harvests
          </LinkButton>
        )}
        {isKeeper && hasHarvests && (
          <LinkButton
            to="/farm/$projectId/money"
            params={{ projectId: String(id) }}
            variant="default"
            aria-label={`Money of ${title}`}
          >
            Money
          </LinkButton>
        )}
      </div>
    </li>
  );
}

function AwaitedReport({ report }: { report: OwnProject["report"] }) {
  if (!report) return <span className={classes.fine}>No report is due.</span>;
  const { number, dueAt, asks, isLate } = report;
  return (
    <>
      <span className={classes.badges}>
        {isLate && <StatusBadge tone="caution">Late</StatusBadge>}
        <span>
          Report {number} {isLate ? "was" : "is"} due on{" "}
          <time dateTime={dueAt.toISOString()}>{formatDateTime(dueAt)}</time>.
        </span>
      </span>
      {asks > 0 && <span className={classes.fine}>{formatCount(asks, "backer")} asked for it.</span>}
    </>
  );
}

const columns: readonly Column<Payout>[] = [
  {
    header: "Project",
    inCard: "head",
    render: ({ projectTitle, round }) => ((round ?? 1) > 1 ? `${projectTitle}, round ${round}` : projectTitle),
  },
  {
    header: "For",
    width: "11rem",
    render: ({ harvestNumber }) => (harvestNumber === null ? "What was raised" : `Harvest ${harvestNumber}`),
  },
  {
    header: "Amount",
    width: "11rem",
    align: "end",
    render: ({ amountKobo }) => <span className="money">{formatNairaExact(amountKobo)}</span>,
  },
  {
    header: "State",
    width: "13rem",
    render: ({ state }) => <PayoutBadge payout={{ state: state }} labels={farmPayoutLabels} />,
  },
  {
    header: "Day",
    width: "9rem",
    render: ({ paidAt, sentAt, createdAt }) => formatDate(paidAt ?? sentAt ?? createdAt),
  },
];

/** The money that went to the farms that the person keeps. */
function FarmMoney() {
  const query = trpc.farms.money.useQuery(undefined, { staleTime: 0 });
  return (
    <SectionCard title="Money to the farm">
      <ListContent
        query={query}
        rows={query.data}
        loading={
          <Loading label="Loading the money">
            <Skeleton height="6rem" />
          </Loading>
        }
        failure="The money could not be loaded."
        empty={<p className={classes.none}>Nothing has gone to the farm yet. It does once a round is funded.</p>}
      >
        {(rows) => <DataTable label="Money to the farm" columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </ListContent>
    </SectionCard>
  );
}
