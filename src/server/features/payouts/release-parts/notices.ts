import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import type { farmReleases } from "#server/db/schema/payouts.ts";
import type { projects } from "#server/db/schema/projects.ts";
import type { releaseAsks } from "#server/db/schema/release-parts.ts";
import { users } from "#server/db/schema/users.ts";
import { listKeepers } from "#server/features/farms/queries.ts";
import { administratorsWith } from "#server/features/notifications/queries.ts";
import { notify, notifyOwners } from "#server/features/notifications/service.ts";
import { backersOfRound } from "#server/features/projects/queries.ts";
import { queueMails } from "#server/mail/outbox.ts";
import type { ActorContext } from "#server/platform/context.ts";
import {
  moneyHeldBackNotice,
  moneyReleasedNotice,
  partAskedNotice,
  partCheckedNotice,
  partDecidedMail,
} from "./emails.ts";
import { type ReleasePartRow, readParts } from "./queries.ts";

/** Notices and mails about the parts of a round's money. */

type Ask = typeof releaseAsks.$inferSelect;
type Project = typeof projects.$inferSelect;
type About = { ask: Ask; part: ReleasePartRow; parts: number; project: Project; farmId: number | null };

const factsOf = (ctx: ActorContext, { part, parts, project }: Omit<About, "ask" | "farmId">) => ({
  site: ctx.site.current(),
  projectId: project.id,
  projectTitle: project.title,
  part: part.part,
  parts,
  label: part.label,
  amountKobo: part.amountKobo,
});

/** Tells whoever may check a part that it was asked for. */
export async function notifyAsk(tx: Tx, ctx: ActorContext, { ask, ...about }: About): Promise<void> {
  const userIds = (await administratorsWith(tx, "harvests:manage")).filter((id) => id !== ask.askedBy);
  await notify(tx, ctx, {
    ...partAskedNotice({ ...factsOf(ctx, about), askedByName: ctx.actor.fullName }),
    projectId: about.project.id,
    eventKey: `release_ask:${ask.id}:asked`,
    aboutUserId: ctx.actor.id,
    kind: "farm_report",
    userIds,
  });
}

/** Tells the farm's keepers what became of an ask, and owners that a checked part can be released. */
export async function notifyOfDecision(
  tx: Tx,
  ctx: ActorContext,
  { ask, farmId, refusal, ...about }: About & { refusal: string | null },
): Promise<void> {
  const facts = factsOf(ctx, about);
  const decided = refusal === null ? ("checked" as const) : { refused: refusal };
  // A check may be taken back by a refusal: each is told.
  const eventKey = `release_ask:${ask.id}:${refusal === null ? "checked" : "refused"}`;
  await mailKeepers(tx, ctx, farmId, eventKey, (fullName) => partDecidedMail({ ...facts, fullName, decided }));
  if (refusal !== null) return;
  await notifyOwners(tx, ctx, {
    ...partCheckedNotice({ ...facts, checkedByName: ctx.actor.fullName }),
    but: ctx.actor.id,
    projectId: about.project.id,
    eventKey,
    kind: "farm_report",
  });
}

type Released = Pick<
  typeof farmReleases.$inferSelect,
  "id" | "projectId" | "projectTitle" | "round" | "part" | "amountKobo" | "publicReason"
> & { farmId: number | null };

/** Tells the farm's keepers, and the round's backers, that money goes to the farm. */
export async function notifyOfRelease(tx: Tx, ctx: ActorContext, released: Released): Promise<void> {
  await notifyOfDecided(tx, ctx, released, "released");
}

/** The same, that it stays with us for now. */
export async function notifyOfTakenBack(tx: Tx, ctx: ActorContext, released: Released): Promise<void> {
  await notifyOfDecided(tx, ctx, released, "taken_back");
}

async function notifyOfDecided(tx: Tx, ctx: ActorContext, released: Released, decided: "released" | "taken_back") {
  const { id, projectId, projectTitle, round, part, amountKobo } = released;
  const { parts } = await readParts(tx, released);
  const label = parts.find((one) => one.part === part)?.label ?? "";
  const facts = { site: ctx.site.current(), projectId, projectTitle, part, parts: parts.length, label, amountKobo };
  const eventKey = `release:${id}:${decided}`;
  await mailKeepers(tx, ctx, released.farmId, eventKey, (fullName) => partDecidedMail({ ...facts, fullName, decided }));
  const backers = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, backersOfRound({ projectId, round })), eq(users.isBlocked, false)));
  await notify(tx, ctx, {
    ...(decided === "released" ? moneyReleasedNotice({ ...facts, ...released }) : moneyHeldBackNotice(facts)),
    projectId,
    eventKey,
    kind: "project_update",
    userIds: backers.map((backer) => backer.id),
  });
}

type Mail = ReturnType<typeof partDecidedMail>;

async function mailKeepers(
  tx: Tx,
  ctx: ActorContext,
  farmId: number | null,
  eventKey: string,
  mailTo: (fullName: string) => Mail,
): Promise<void> {
  if (farmId === null) return;
  const keepers = await listKeepers(tx, farmId);
  const mails = keepers.map(({ email, fullName }) => ({ eventKey, to: email, ...mailTo(fullName) }));
  await queueMails(tx, ctx, mails, { isUrgent: false });
}
