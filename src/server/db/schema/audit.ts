import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, rowId } from "./columns.ts";

/** Append-only (triggers refuse UPDATE, DELETE and TRUNCATE). No foreign keys to rows that may be deleted. */
export const auditLogs = pgTable(
  "audit_logs",
  {
    id: rowId(),
    actionType: text("action_type").notNull(),
    /** The acting person; null for the system and for people without an account. */
    userId: uuid("user_id"),
    userEmail: text("user_email"),
    details: jsonb("details").$type<Record<string, unknown>>().notNull().default({}),
    ipAddress: text("ip_address"),
    createdAt: createdAt(),
  },
  (table) => {
    // A new array for each index, because drizzle forgets the direction of a column that two indexes share.
    const newest = () => [table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()] as const;
    return [
      index("audit_logs_newest").on(...newest()),
      index("audit_logs_by_action").on(table.actionType, ...newest()),
      index("audit_logs_by_user").on(table.userId, ...newest()),
    ];
  },
);
