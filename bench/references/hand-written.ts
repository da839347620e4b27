import { createHash } from "node:crypto";
import Fastify, { type FastifyRequest } from "fastify";
import postgres from "postgres";

/**
 * What somebody writes who needs just these answers and nothing around them: Fastify and postgres.js, one prepared
 * statement each, no validation, no framework of calls, no headers.
 */
const sql = postgres(process.env.DATABASE_URL ?? "", { max: 10 });
const app = Fastify();

const card = sql`id, title, category, image_url, image_alt, location, funding_goal_kobo, current_funding_kobo,
  backers_count, ends_at, is_closed`;

const daysLeft = (endsAt: Date) => Math.max(0, Math.ceil((endsAt.getTime() - Date.now()) / 86_400_000));

app.get<{ Params: { id: number } }>("/project/:id", async ({ params }) => {
  const [found] = await sql`
    select ${card}, short_description, description, video_url, creator, rewards,
      exists (select from project_payments p where p.project_id = projects.id and p.status = 'pending') as is_under_review,
      coalesce((select value from settings where key = 'requiresigninforprojects'), 'false') as hidden
    from projects where id = ${params.id}`;
  if (!found) throw new Error("not found");
  const { ends_at, ...row } = found;
  return { ...row, daysLeft: daysLeft(ends_at) };
});

const sessionOf = ({ headers }: FastifyRequest) =>
  createHash("sha256")
    .update(/session=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "")
    .digest("base64url");

app.get("/payments", async (request, reply) => {
  const [caller] = await sql`
    select p.id from sessions s join users p on p.id = s.user_id and p.is_admin and not p.is_blocked
    where s.id_hash = ${sessionOf(request)} and s.last_activity_at > now() - interval '1 hour'`;
  if (!caller) return reply.code(401).send();
  const found = await sql`
    select pay.id, pay.created_at, pay.user_id, backer.full_name, backer.email, pay.project_id, project.title,
      pay.project_title, pay.amount_kobo, pay.reference, pay.status, pay.rejection_reason, decider.full_name as decided_by,
      pay.decided_at, receipt.id as receipt_id, receipt.sha256, file.content_type, file.original_name,
      receipt.created_at as receipt_at,
      exists (select from project_payments a where a.project_id = pay.project_id and a.status = 'approved'
        and a.id <> pay.id and a.round = project.round) as is_taken,
      exists (select from payment_receipts o where o.sha256 = receipt.sha256 and o.payment_id <> pay.id) as is_used
    from project_payments pay
    join payment_receipts receipt on receipt.id = pay.current_receipt_id
    join stored_files file on file.id = receipt.file_id
    left join users backer on backer.id = pay.user_id
    left join users decider on decider.id = pay.decided_by
    left join projects project on project.id = pay.project_id
    order by pay.created_at desc, pay.id desc limit 51`;
  return { items: found.slice(0, 50) };
});

await sql`select 1`;
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST ?? "127.0.0.1" });
console.log("listening");
