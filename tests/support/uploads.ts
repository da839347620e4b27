import type { FastifyInstance } from "fastify";
import { startSession } from "#server/accounts/sessions.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { TestUser } from "./people.ts";

type Person = Pick<TestUser, "id" | "isAdmin">;

/** The cookie of a new session of that person. */
export async function sessionCookie(deps: Deps, { id, isAdmin }: Person): Promise<string> {
  const session = { userId: id, kind: isAdmin ? "admin" : "backer", device: "Test", ipAddress: "127.0.0.1" } as const;
  return `${sessionCookieName(deps.env)}=${await startSession(deps, session)}`;
}

type Form = { fields?: Record<string, string>; file: Buffer; name: string };

/** A form with a file, as the browser of a signed-in person, or of nobody, sends it. */
export async function upload(
  deps: Deps,
  app: FastifyInstance,
  person: Person | null,
  url: string,
  { fields = {}, file, name }: Form,
) {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set("file", new Blob([Uint8Array.from(file)]), name);
  const body = new Response(form);
  const { statusCode, json } = await app.inject({
    method: "POST",
    url,
    payload: Buffer.from(await body.arrayBuffer()),
    headers: {
      origin: deps.env.publicUrl,
      "x-upload": "1",
      "content-type": body.headers.get("content-type") ?? "",
      ...(person && { cookie: await sessionCookie(deps, person) }),
    },
  });
  const { error, ...kept } = json<{ fileId?: string; url?: string; error?: { message: string } }>();
  return { status: statusCode, message: error?.message, ...kept };
}

type Sent = { path: string; person: Person; file: Uint8Array | null; fields?: Record<string, string> };

/** A form with its file, sent to the server at `url` as the person's browser sends it. */
export async function uploadFile(deps: Deps, url: string, { path, person, file, fields = {} }: Sent) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  if (file) body.append("file", new File([Uint8Array.from(file)], "field.jpg"));
  const headers = { origin: deps.env.publicUrl, "x-upload": "1", cookie: await sessionCookie(deps, person) };
  const response = await fetch(`${url}/uploads/${path}`, { method: "POST", headers, body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
