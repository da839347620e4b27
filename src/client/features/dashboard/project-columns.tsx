import type { ReactNode } from "react";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { categoryName } from "#shared/categories.ts";
import { formatNaira } from "#shared/money.ts";
import classes from "./dashboard.module.css";

export type DashboardProject = RouterOutputs["dashboard"]["projects"]["items"][number];

/**
 * The columns of the dashboard's table; `actions` gives what stands in the last one. Who may edit projects gets to their
 * management by the title.
 */
export const projectColumns = (
  actions: (project: DashboardProject) => ReactNode = () => null,
  mayEdit = false,
): readonly Column<DashboardProject>[] => [
  {
    header: "Title",
    inCard: "head",
    render: ({ id, title, isClosed }) => (
      <span className={classes.title}>
        {mayEdit ? (
          <TextLink to="/project-updates/$id" params={{ id: String(id) }} preload={false} fw={700}>
            {title}
          </TextLink>
        ) : (
          <strong>{title}</strong>
        )}
        {isClosed && <StatusBadge tone="closed">CLOSED</StatusBadge>}
      </span>
    ),
  },
  { header: "Category", width: "10.5rem", render: ({ category }) => categoryName(category) },
  { header: "Creator", width: "10rem", render: ({ creator }) => creator },
  { header: "Backer", width: "9rem", render: ({ backerName }) => backerName ?? <NoBacker /> },
  { header: "Goal", width: "8rem", align: "end", render: ({ fundingGoalKobo }) => <Money kobo={fundingGoalKobo} /> },
  {
    header: "Current",
    width: "8rem",
    align: "end",
    render: ({ currentFundingKobo }) => <Money kobo={currentFundingKobo} />,
  },
  {
    header: "Actions",
    width: "8rem",
    inCard: "wide",
    render: actions,
  },
];

function Money({ kobo }: { kobo: bigint }) {
  return <span className="money">{formatNaira(kobo)}</span>;
}

function NoBacker() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">No backer</span>
    </>
  );
}
