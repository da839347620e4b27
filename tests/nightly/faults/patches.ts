import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One place of the product's text that a test exchanges for another while the file is loaded. */
export interface Patch {
  file: string;
  from: string;
  to: string;
}

export const killPoints = ["before commit", "after commit", "before mail", "after mail"] as const;
export type KillPoint = (typeof killPoints)[number];

/** What {@link ./inside.ts} offers to the patched text. */
export interface FaultPoints {
  /** The process dies here if it was told so. Commits count only where the transaction is an event's. */
  reach(point: KillPoint, isEvent: boolean): Promise<void>;
  /** Whether the transaction wrote a mail: then it is one that people are told of. Asked only while it matters. */
  isEvent(tx: { execute(statement: string): Promise<unknown> }): Promise<boolean>;
}

const root = join(import.meta.dirname, "../../..");
const reach = (point: KillPoint, isEvent: string) =>
  `await globalThis.faultPoints.reach(${JSON.stringify(point)}, ${isEvent});`;

/** The named points at which a process can be killed; and mails go without their pause, or a run would take a day. */
export const pointPatches: Patch[] = [
  {
    file: "src/server/db/open.ts",
    from: "      return await db.transaction(run, config);",
    to: `      let isEvent = false;
      const written = await db.transaction(async (tx) => {
        const result = await run(tx);
        isEvent = await globalThis.faultPoints.isEvent(tx);
        ${reach("before commit", "isEvent")}
        return result;
      }, config);
      ${reach("after commit", "isEvent")}
      return written;`,
  },
  {
    file: "src/server/mail/outbox.ts",
    from: "    await deps.mailer.send({ to, subject, text, html, messageId, headers });",
    to: `    ${reach("before mail", "true")}
    await deps.mailer.send({ to, subject, text, html, messageId, headers });
    ${reach("after mail", "true")}`,
  },
  { file: "src/server/platform/jobs.ts", from: "mailPauseMs = 500", to: "mailPauseMs = 1" },
];

/** Throws where a text isn't found exactly once: the code has changed, and the patch would do nothing. */
export function applyPatches(file: string, source: string, patches: readonly Patch[]): string {
  let patched = source;
  for (const { from, to } of patches.filter((patch) => patch.file === file)) {
    const found = patched.split(from).length - 1;
    if (found !== 1) throw new Error(`${file} holds this text ${found} times instead of once:\n${from}`);
    patched = patched.replace(from, () => to);
  }
  return patched;
}

/** Says before anything is started whether all patches still fit the code. */
export function requireFit(patches: readonly Patch[]): void {
  for (const file of new Set(patches.map((patch) => patch.file))) {
    applyPatches(file, readFileSync(join(root, file), "utf8"), patches);
  }
}
