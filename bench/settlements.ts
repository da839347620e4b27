import { sql } from "drizzle-orm";
import superjson from "superjson";
import { runMoneyChecks } from "#server/books/checks/invariants.ts";
import { type Db, rows } from "#server/db/open.ts";
import { koboToNairaText } from "#shared/money.ts";
import { createAdmin } from "#tests/support/people.ts";
import { createProject } from "#tests/support/projects.ts";
import type { Measurement } from "./lib/measurement.ts";
import { onDatabase } from "./lib/scene.ts";

/** A round of a thousand backers: the sales of a harvest are divided among them, over HTTP. */
const BACKERS = 1000;
const ROUNDS = 3;
const WEIGHT_KOBO = 5_000_000n;
const PROCEEDS_KOBO = 1_234_567_89n;

export async function measure(): Promise<Measurement[]> {
  return onDatabase(0, async ({ db, startProduct, cookieOf }) => {
    const [asker, confirmer] = [await createAdmin(db, "owner"), await createAdmin(db, "owner")];
    await addBackers(db);
    const { url } = await startProduct();
    const cookie = await cookieOf(confirmer);
    const settle = async (harvestId: number) => {
      const headers = { "content-type": "application/json", origin: url, cookie };
      const input = { harvestId, pool: "sold", amount: koboToNairaText(PROCEEDS_KOBO) };
      const body = JSON.stringify({ 0: superjson.serialize(input) });
      const answer = await fetch(`${url}/trpc/harvests.settle?batch=1`, { method: "POST", headers, body });
      const said = await answer.text();
      if (!answer.ok) throw new Error(`harvests.settle: ${said.slice(0, 500)}`);
    };
    const values: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const harvestId = await sellHarvest(db, { asker: asker.id, confirmer: confirmer.id });
      const begun = performance.now();
      await settle(harvestId);
      values.push((performance.now() - begun) / 1000);
    }
    const broken = (await runMoneyChecks(db, new Date())).filter(({ violations }) => violations.length > 0);
    if (broken.length > 0) throw new Error(`the books don't hold: ${JSON.stringify(broken).slice(0, 1000)}`);
    const what = `a harvest of ${BACKERS.toLocaleString("en")} backers settled`;
    const details = "over HTTP, with its payouts, notifications and mails; the books hold afterwards";
    return [{ what, values, unit: "s", target: { atMost: 2 }, details }];
  });
}

async function addBackers(db: Db): Promise<void> {
  await db.execute(sql`insert into users (email, full_name, email_verified_at)
    select 'backer' || n || '@example.com', 'Backer ' || n, now() from generate_series(1, ${BACKERS}) n`);
}

/** A farm that gives everybody a kilo, all of it sold for money that two owners have seen. */
async function sellHarvest(db: Db, { asker, confirmer }: { asker: string; confirmer: string }): Promise<number> {
  const { id: projectId, title } = await createProject(db, {
    lots: BACKERS,
    fundingGoalKobo: WEIGHT_KOBO * BigInt(BACKERS),
  });
  return db.transaction(async (tx) => {
    await tx.execute(sql`update projects set is_closed = true, closed_at = now() where id = ${projectId}`);
    await tx.execute(sql`update project_rounds set outcome = 'funded', decided_by = ${asker}, decided_at = now()
      where project_id = ${projectId}`);
    await tx.execute(sql`insert into project_backings (project_id, user_id, granted_at, granted_by)
      select ${projectId}, id, now(), ${asker} from users where not is_admin`);
    await tx.execute(sql`update projects set backers_count = ${BACKERS} where id = ${projectId}`);
    await tx.execute(sql`insert into backing_weights (backing_id, round, weight_kobo, reason)
      select id, 1, ${WEIGHT_KOBO.toString()}::bigint, 'A part of the trial.' from project_backings where project_id = ${projectId}`);
    await tx.execute(sql`insert into second_person_requests
        (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at)
      select 'set_weight', project_id || '/' || user_id || '/1', jsonb_build_object('weightKobo', ${WEIGHT_KOBO.toString()}::text),
        'A part of the trial.', ${asker}, now(), 'confirmed', ${confirmer}, now()
      from project_backings where project_id = ${projectId}`);
    await tx.execute(sql`insert into round_weights (project_id, round, backing_id, user_id, weight_kobo)
      select b.project_id, w.round, b.id, b.user_id, w.weight_kobo
      from project_backings b join backing_weights w on w.backing_id = b.id where b.project_id = ${projectId}`);
    const [harvest] = await rows<{ id: number }>(
      tx,
      sql`insert into harvests (project_id, project_title, round, number, place, is_insurance, state, quantity, opened_quantity, reference_price_kobo,
          created_by, opened_at, chooses_until, allotted_at, farm_quantity)
        values (${projectId}, ${title}, 1, 1, 1, false, 'allotted', ${BACKERS * 1000}, ${BACKERS * 1000}, 275000, ${asker}, now(), now(), now(), 0)
        returning id::int as id`,
    );
    const harvestId = harvest?.id ?? 0;
    await tx.execute(sql`insert into harvest_parts (harvest_id, backing_id, user_id, weight_kobo, quantity, taken, given, sold,
        produce_kobo)
      select ${harvestId}, backing_id, user_id, weight_kobo, 1000, 0, 0, 1000, 0 from round_weights
      where project_id = ${projectId}`);
    await tx.execute(sql`with asked as (
        insert into second_person_requests (kind, subject, details, reason, requested_by, requested_at, decision, decided_by, decided_at)
        values ('declare_sale', ${String(harvestId)}, '{}', 'The buyer paid.', ${asker}, now(), 'confirmed', ${confirmer}, now())
        returning id
      ), sold as (
        insert into harvest_sales (harvest_id, pool, buyer, quantity, amount_kobo, recorded_by, declared_at, request_id)
        select ${harvestId}, 'sold', 'Market', 1000, ${PROCEEDS_KOBO.toString()}::bigint, ${asker}, now(), id from asked returning id
      ), posted as (
        insert into ledger_transactions (kind, sale_id, actor_id) select 'sale_declared', id, ${confirmer}::uuid from sold
        returning id, sale_id
      )
      insert into ledger_entries (transaction_id, account, sale_id, harvest_id, amount_kobo)
      select id, 'in_transit', sale_id, null::bigint, ${PROCEEDS_KOBO.toString()}::bigint from posted
      union all select id, 'harvest_proceeds', null, ${harvestId}::bigint, -(${PROCEEDS_KOBO.toString()}::bigint) from posted`);
    await tx.execute(sql`update second_person_requests q set subject = s.id::text,
        details = jsonb_build_object('amountKobo', s.amount_kobo::text)
      from harvest_sales s where s.request_id = q.id and s.harvest_id = ${harvestId}`);
    return harvestId;
  });
}
