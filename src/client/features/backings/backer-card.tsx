import { Button } from "@mantine/core";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { formatDate } from "#shared/dates.ts";
import classes from "./backings.module.css";

export type Backer = RouterOutputs["backings"]["listForProject"]["items"][number];

/** One backer: who, since when, and what makes them one. */
export function BackerCard({ backer, onRemove }: { backer: Backer; onRemove: (() => void) | undefined }) {
  return (
    <article className={classes.card}>
      <h3 className={classes.name}>{backer.fullName}</h3>
      {backer.email ? (
        <a className={classes.email} href={`mailto:${backer.email}`}>
          {backer.email}
        </a>
      ) : (
        <span className={classes.email}>This account is closed</span>
      )}
      <p className={classes.facts}>
        {backer.isPaid ? (
          <StatusBadge tone="positive">Payment approved</StatusBadge>
        ) : (
          <StatusBadge tone="neutral">Added by an administrator</StatusBadge>
        )}
        {backer.isBlocked && <StatusBadge tone="negative">Blocked</StatusBadge>}
      </p>
      <div className={classes.foot}>
        <span>
          Since <time dateTime={backer.createdAt.toISOString()}>{formatDate(backer.createdAt)}</time>
        </span>
        {onRemove && (
          <Button variant="default" size="sm" aria-label={`Remove ${backer.fullName}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
    </article>
  );
}
