import { and, desc, eq } from "drizzle-orm";
import { readRoundMoney } from "#server/books/rounds.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import { photoFindings } from "#server/db/schema/update-photos.ts";
import { storeProof } from "#server/features/payouts/release-parts/proofs.ts";
import { findPart, isOpenFindingOf } from "#server/features/payouts/release-parts/queries.ts";
import {
  askAsKeeper,
  checkAsk,
  decideProofFinding,
  refuseAsk,
} from "#server/features/payouts/release-parts/service.ts";
import { releaseToFarm } from "#server/features/payouts/releases/service.ts";
import type { DemoSeason } from "./demo-data.ts";
import { byTwoOwners, type Office, type Step } from "./seed-office.ts";
import { drawReportPhoto } from "./seed-photos.ts";

/**
 * The demo's farms that get their money in parts: a keeper asks with a photo, one owner checks or refuses, and the
 * other releases, or both where the farm was silent.
 */

type Asked = DemoSeason["parts"][number];

const decidedAfterDays = 0.3;
/** The code on every proof's slate, as if it were the week's. */
const slateCode = "7K3P";

export const planParts = (office: Office, { parts }: DemoSeason): Step[] =>
  parts.flatMap((asked): Step[] => {
    const { askedDaysAgo, releasedDaysAgo } = asked;
    const [at, decidedAt] = [office.ago(askedDaysAgo), office.ago(askedDaysAgo - decidedAfterDays)];
    const releasedAt = releasedDaysAgo === undefined ? null : office.ago(releasedDaysAgo);
    return [
      { at, run: () => ask(office, asked, at) },
      { at: decidedAt, run: () => decide(office, asked, decidedAt) },
      ...(releasedAt ? [{ at: releasedAt, run: () => release(office, asked, releasedAt) }] : []),
    ];
  });

const keyOf = (office: Office, { farm, part }: Asked) => ({ projectId: office.farmOf(farm).projectId, round: 1, part });

async function ask(office: Office, asked: Asked, at: Date): Promise<void> {
  const ctx = office.asPerson(office.personOf(asked.farm), at);
  const bytes = await drawReportPhoto({ slug: asked.farm, photo: asked.photo, code: slateCode });
  const file = await office.storeFile(bytes, "photo");
  const upload = { ...file, bytes: bytes.length, contentType: "image/jpeg", originalName: "proof.jpg" };
  const { fileId } = await storeProof(ctx, upload);
  await askAsKeeper(ctx, { ...keyOf(office, asked), note: asked.note, fileIds: [fileId] });
}

async function decide(office: Office, asked: Asked, at: Date): Promise<void> {
  const { projectId, round, part } = keyOf(office, asked);
  const isIt = and(eq(releaseAsks.projectId, projectId), eq(releaseAsks.round, round), eq(releaseAsks.part, part));
  const [last] = await office.tx.select().from(releaseAsks).where(isIt).orderBy(desc(releaseAsks.id)).limit(1);
  const askId = last?.id ?? 0;
  const ctx = office.as("second", at);
  const found = await office.tx.select({ id: photoFindings.id }).from(photoFindings).where(isOpenFindingOf(askId));
  for (const { id: findingId } of found) await decideProofFinding(ctx, { findingId, verdict: "confirmed" });
  await (asked.refusal === undefined ? checkAsk(ctx, { askId }) : refuseAsk(ctx, { askId, refusal: asked.refusal }));
}

async function release(office: Office, asked: Asked, at: Date): Promise<void> {
  const key = keyOf(office, asked);
  const { releasableKobo: seenKobo } = await readRoundMoney(office.tx, key);
  const { releasableKobo: amountKobo, ask } = await findPart(office.tx, key);
  const askId = ask?.id ?? null;
  const { publicReason: reason } = asked;
  if (reason === undefined) return releaseToFarm(office.as("owner", at), { ...key, askId, seenKobo, amountKobo });
  const details = { ...key, askId, seenKobo: String(seenKobo), amountKobo: String(amountKobo) };
  await byTwoOwners(office, at, { kind: "release_to_farm", details, reason });
}
