import { IconChevronRight, IconLogin, IconPencil, IconPlus, IconPointFilled, IconTrash } from "@tabler/icons-react";
import { isRecord } from "#client/lib/errors.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { auditSentence } from "#shared/audit-log/sentences.ts";
import { type AuditTone, auditActionLabel, auditToneOf } from "#shared/audit-log/texts.ts";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import classes from "./audit-log.module.css";

type AuditEntry = RouterOutputs["auditLog"]["list"]["items"][number];

const icons: Record<AuditTone, typeof IconPlus> = {
  added: IconPlus,
  removed: IconTrash,
  changed: IconPencil,
  "signed-in": IconLogin,
  other: IconPointFilled,
};

/** The action in words, with an icon and a colour for its kind. */
function ActionBadge({ action }: { action: string }) {
  const tone = auditToneOf(action);
  const Icon = icons[tone];
  return (
    <span className={classes.badge} data-tone={tone} title={auditActionLabel(action)}>
      <Icon size={14} stroke={2.25} aria-hidden="true" />
      <span className={classes.badgeText}>{auditActionLabel(action)}</span>
    </span>
  );
}

export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    header: "Time",
    width: "12rem",
    inCard: "wide",
    render: ({ createdAt }) => (
      <time dateTime={createdAt.toISOString()} className={classes.time}>
        {formatDateTime(createdAt)}
      </time>
    ),
  },
  {
    header: "Action",
    width: "10.75rem",
    inCard: "wide",
    render: ({ actionType }) => <ActionBadge action={actionType} />,
  },
  {
    header: "User",
    width: "8.5rem",
    inCard: "none",
    render: ({ userEmail }) =>
      userEmail ? (
        <span className={classes.cut} title={userEmail}>
          {userEmail}
        </span>
      ) : (
        <span className={classes.dimmed}>System</span>
      ),
  },
  { header: "Details", inCard: "head", render: (entry) => <AuditDetails entry={entry} /> },
  {
    header: "IP Address",
    width: "7.5rem",
    inCard: "none",
    render: ({ ipAddress }) =>
      ipAddress ? (
        <span className={classes.cut} title={ipAddress}>
          {ipAddress}
        </span>
      ) : (
        <span className={classes.dimmed}>None</span>
      ),
  },
];

const SHOWN_LENGTH = 160;
const SHOWN_LINES = 12;

/** "userId" and "full_name" in words; an amount's unit stands beside its figure. */
function labelOf(name: string): string {
  const words = name
    .replace(/_?kobo$/i, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .replace(/\bid\b/, "ID");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown, name = ""): string {
  if (/kobo$/i.test(name) && /^-?\d+$/.test(String(value))) return formatNaira(BigInt(String(value)));
  if (value === null || value === undefined || value === "") return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((one) => textOf(one)).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const cut = (text: string) => (text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);

type Line = { label: string; before?: string; text: string };

/** Before and after stand beside each other, also where they are objects: one line for each part that changed. */
function linesOf({ before, after, ...rest }: Record<string, unknown>): Line[] {
  const lines: Line[] = Object.entries(rest).map(([name, value]) => ({
    label: labelOf(name),
    text: textOf(value, name),
  }));
  if (before === undefined && after === undefined) return lines;
  if (!isRecord(before) || !isRecord(after))
    return [...lines, { label: "Change", before: textOf(before), text: textOf(after) }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.map((name) => ({
    label: labelOf(name),
    before: textOf(before[name], name),
    text: textOf(after[name], name),
  }));
  return [...lines, ...changed];
}

/** Shows an entry in one sentence; its data are folded behind it. */
function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { details, userEmail, userId, ipAddress } = entry;
  const lines: Line[] = [
    { label: "By", text: userId === null ? (userEmail ?? "System") : `${userEmail ?? "Unknown"}, ${userId}` },
    { label: "IP address", text: ipAddress ?? "none" },
    ...linesOf(details),
  ];
  const isCut =
    lines.length > SHOWN_LINES ||
    lines.some(({ text, before = "" }) => Math.max(text.length, before.length) > SHOWN_LENGTH);
  const sentence = auditSentence(entry);
  return (
    <details className={classes.entry}>
      <summary title={sentence}>
        <IconChevronRight className={classes.chevron} size={16} stroke={2.25} aria-hidden="true" />
        <span className={classes.sentence}>{sentence}</span>
      </summary>
      <dl className={classes.details}>
        {lines.slice(0, SHOWN_LINES).map(({ label, before, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {before !== undefined && (
                <span className={classes.before}>
                  {cut(before)} <span aria-hidden="true">→</span>
                  <span className="visually-hidden">became</span>{" "}
                </span>
              )}
              {cut(text)}
            </dd>
          </div>
        ))}
      </dl>
      {isCut && (
        <details className={classes.raw}>
          <summary>All details</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long details scroll, also by the keyboard. */}
          <pre tabIndex={0}>{JSON.stringify(details, null, 2)}</pre>
        </details>
      )}
    </details>
  );
}
