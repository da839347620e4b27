import { desc } from "drizzle-orm";
import { farmReleases } from "#server/db/schema/payouts.ts";
import { releaseAsks } from "#server/db/schema/release-parts.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { askAsKeeper, askForPart, checkAsk, refuseAsk } from "#server/features/payouts/release-parts/service.ts";
import { releaseToFarm, takeReleaseBack } from "#server/features/payouts/releases/service.ts";
import { deleteProject } from "#server/features/projects/service.ts";
import { updateTerms } from "#server/features/projects/update-terms.ts";
import { updateTermsInput } from "#shared/projects/terms.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { keepEvidence } from "#tests/support/harvests.ts";
import { decide, findPayment, seen } from "#tests/support/money.ts";
import { confirming, isDone, matching, openPairs, type Pair, playPairs, type Write } from "#tests/support/pairs.ts";
import { farmOf } from "#tests/support/projects.ts";
import { addPending, type Member, type Scene, sellInLots } from "#tests/support/race-scene.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** As interleavings.test.ts, for what meets where a round's money goes to its farm in parts. Bola keeps the farm. */

const deps = await openPairs();
const halves = ["50", "50"].map((rate) => ({ label: "Feed", rate, proof: "", afterDays: 0 }));

/**
 * The terms name two halves, and so many backers have bought a lot each, whose money a line shows, but for the last one
 * if told so.
 */
async function funded(scene: Scene, { backers = [scene.ada], isLastSeen = true } = {}) {
  const { amaka, bola, project } = scene;
  if (backers.length > 1) await sellInLots(scene, backers.length, backers.length);
  await createFarmPerson(deps.db, farmOf(project).farmId, "keeper", bola);
  const terms = { ...termsForm, projectId: project.id, seenVersion: 1, releaseParts: halves };
  await isDone(scene, { by: amaka, run: (ctx) => updateTerms(ctx, updateTermsInput.parse(terms)) });
  const ownAccount = await openOwnAccount(deps, { importedBy: amaka.id });
  const paid: number[] = [];
  for (const [place, backer] of backers.entries()) {
    const paymentId = await addPending(scene, backer);
    if (place < backers.length - 1 || isLastSeen) await arrive(scene, { ownAccount, paymentId, position: place + 1 });
    await decide(deps, amaka, { paymentId, status: "approved", unseenReason: "Seen in the bank's app." });
    paid.push(paymentId);
  }
  return { paymentId: paid.at(-1) ?? 0, ownAccount };
}
const termsForm = {
  unit: "kg",
  plannedQuantity: "",
  plannedPrice: "",
  plannedHarvests: null,
  firstHarvestOn: null,
  farmPart: "10",
  deductibleCosts: [],
  fee: "5",
  options: ["sale"],
  collectionPlace: "",
  choiceDays: 10,
  collectionDays: 5,
  insurance: null,
};

type Arrival = { ownAccount: OwnAccount; paymentId: number; position: number };
async function arrive(scene: Scene, { ownAccount, paymentId, position }: Arrival): Promise<void> {
  const { amountKobo, reference } = await findPayment(deps.db, paymentId);
  const line = await keepLine(deps, ownAccount, { amountKobo, position, narration: reference });
  await isDone(scene, matching(scene.amaka, line, { kind: "payment", amountKobo, paymentId }));
}

const ofPart = ({ project }: Scene, part = 1) => ({ projectId: project.id, round: 1, part });
const asking = (scene: Scene, by: Member): Write => ({
  by,
  run: (ctx) => (by === scene.bola ? askAsKeeper : askForPart)(ctx, { ...ofPart(scene), note: "", fileIds: [] }),
});
const lastAsk = async (): Promise<number> => {
  const [found] = await deps.db.select({ id: releaseAsks.id }).from(releaseAsks).orderBy(desc(releaseAsks.id)).limit(1);
  return found?.id ?? 0;
};
async function checking(by: Member): Promise<Write> {
  const askId = await lastAsk();
  return { by, run: (ctx) => checkAsk(ctx, { askId }) };
}
async function refusing(by: Member): Promise<Write> {
  const askId = await lastAsk();
  return { by, run: (ctx) => refuseAsk(ctx, { askId, refusal: "The receipt is of another farm." }) };
}
const lotKobo = 50_000_000n;
type Sums = { seenKobo?: bigint; amountKobo?: bigint };
async function releasing(scene: Scene, by: Member, { seenKobo = lotKobo, amountKobo = lotKobo / 2n }: Sums = {}) {
  const askId = await lastAsk();
  return {
    by,
    run: (ctx: Parameters<Write["run"]>[0]) => releaseToFarm(ctx, { ...ofPart(scene), askId, seenKobo, amountKobo }),
  };
}
const skipping = (scene: Scene) =>
  confirming(scene, { kind: "skip_part", details: { ...ofPart(scene), isSkipped: true } });

/** Bola has asked for the first part. */
async function asked(scene: Scene, given?: Parameters<typeof funded>[1]) {
  const made = await funded(scene, given);
  await isDone(scene, asking(scene, scene.bola));
  return made;
}
/** Tunde has checked it too, so that Amaka may release it. */
async function checked(scene: Scene, given?: Parameters<typeof funded>[1]) {
  const made = await asked(scene, given);
  await isDone(scene, await checking(scene.tunde));
  return made;
}

const pairs: Record<string, Pair> = {
  "a part is released, and the round's approval taken back": async (scene) => {
    const { paymentId } = await checked(scene);
    const back = { ...(await seen(deps.db, paymentId)), status: "pending" as const };
    return [await releasing(scene, scene.amaka), { by: scene.tunde, run: (ctx) => setPaymentStatus(ctx, back) }];
  },
  "a part is released, and the round written off": async (scene) => {
    await checked(scene);
    const details = { projectId: scene.project.id, round: 1 };
    return [await releasing(scene, scene.amaka), await confirming(scene, { kind: "write_off", details })];
  },
  "a part is released, and all of the round returned to its backers": async (scene) => {
    await checked(scene);
    const details = { projectId: scene.project.id, round: 1, amountKobo: String(lotKobo) };
    return [await releasing(scene, scene.amaka), await confirming(scene, { kind: "return_to_backers", details })];
  },
  "a part is released, and a payment whose money never came is struck, because some was returned": async (scene) => {
    const { paymentId } = await checked(scene, { backers: [scene.ada, scene.bola], isLastSeen: false });
    const some = { projectId: scene.project.id, round: 1, amountKobo: "5000000" };
    await isDone(scene, await confirming(scene, { kind: "return_to_backers", details: some }));
    const fileIds = [await keepEvidence(deps, scene.amaka)];
    const { amountKobo: lost } = await findPayment(deps.db, paymentId);
    const details = { paymentId, lostKobo: String(lost), fileIds };
    return [
      await releasing(scene, scene.amaka, { seenKobo: 20_000_000n, amountKobo: 20_000_000n }),
      await confirming(scene, { kind: "strike_payment", details }),
    ];
  },
  "a part is released, and the project deleted": async (scene) => {
    await checked(scene);
    const { id: projectId } = scene.project;
    return [await releasing(scene, scene.amaka), { by: scene.tunde, run: (ctx) => deleteProject(ctx, { projectId }) }];
  },
  "a part is released, and its check taken back": async (scene) => {
    await checked(scene);
    return [await releasing(scene, scene.amaka), await refusing(scene.tunde)];
  },
  "a part is released twice at once": async (scene) => {
    await checked(scene);
    const request = {
      kind: "release_to_farm" as const,
      details: {
        ...ofPart(scene),
        askId: await lastAsk(),
        seenKobo: String(lotKobo),
        amountKobo: String(lotKobo / 2n),
      },
    };
    return [await releasing(scene, scene.amaka), await confirming(scene, request)];
  },
  "the rest of a part is released, and what was released of it taken back": async (scene) => {
    await checked(scene);
    const quarter = lotKobo / 4n;
    await isDone(scene, await releasing(scene, scene.amaka, { amountKobo: quarter }));
    const [made] = await deps.db.select().from(farmReleases);
    const back = { releaseId: made?.id ?? 0, reason: "It was made by mistake." };
    return [
      await releasing(scene, scene.amaka, { seenKobo: lotKobo - quarter, amountKobo: quarter }),
      { by: scene.tunde, run: (ctx) => takeReleaseBack(ctx, back) },
    ];
  },
  "a part is checked and refused": async (scene) => {
    await asked(scene);
    return [await checking(scene.tunde), await refusing(scene.amaka)];
  },
  "a part is checked by two": async (scene) => {
    await asked(scene);
    return [await checking(scene.tunde), await checking(scene.amaka)];
  },
  "a part is checked and released": async (scene) => {
    await asked(scene);
    return [await checking(scene.tunde), await releasing(scene, scene.amaka)];
  },
  "a part is asked for by the farm and a manager": async (scene) => {
    await funded(scene);
    return [asking(scene, scene.bola), asking(scene, scene.amaka)];
  },
  "a part is left out and asked for": async (scene) => {
    await funded(scene);
    return [await skipping(scene), asking(scene, scene.bola)];
  },
  "a refused part is left out and asked for again": async (scene) => {
    await asked(scene);
    await isDone(scene, await refusing(scene.amaka));
    return [await skipping(scene), asking(scene, scene.bola)];
  },
};

playPairs(deps, pairs);
