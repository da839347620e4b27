import type { FastifyInstance } from "fastify";
import { startSession } from "#server/accounts/sessions.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { TestUser } from "./people.ts";

type Form = { fields?: Record<string, string>; file: Buffer; name: string };

/** A form with a file, as the browser of a signed-in person, or of nobody, sends it. */
export async function upload(
  deps: Deps,
  app: FastifyInstance,
  person: Pick<TestUser, "id" | "isAdmin"> | null,
  url: string,
  { fields = {}, file, name }: Form,
) {
  const from = { device: "Test browser", ipAddress: "203.0.113.9" };
  const kind = person?.isAdmin ? "admin" : "backer";
  const token = person && (await startSession(deps, { userId: person.id, kind, ...from }));
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set("file", new Blob([Uint8Array.from(file)]), name);
  const body = new Response(form);
  const { statusCode, json } = await app.inject({
    method: "POST",
    url,
    payload: Buffer.from(await body.arrayBuffer()),
    cookies: token ? { [sessionCookieName(deps.env)]: token } : {},
    headers: {
      origin: deps.env.publicUrl,
      "x-upload": "1",
      "content-type": body.headers.get("content-type") ?? "",
    },
  });
  const { error, ...kept } = json<{ fileId?: string; url?: string; error?: { message: string } }>();
  return { status: statusCode, message: error?.message, ...kept };
}
