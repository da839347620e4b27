import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { registerStatic } from "#server/http/static.ts";
import { httpApp, listening, tempFolder, writeFiles } from "#tests/support/http-app.ts";

const script = "console.log('farm');".repeat(50);
const page = { accept: "text/html,application/xhtml+xml" };

async function staticApp(index?: string) {
  const distDir = join(await tempFolder(), "dist");
  const files = index !== undefined && {
    "index.html": index,
    "assets/main-1a2b.js": script,
    "assets/main-1a2b.js.br": brotliCompressSync(script),
    "livestream.html": index,
    "robots.txt": "User-agent: *\n",
    ".vite/manifest.json": "{}",
    "../secret.txt": "secret",
  };
  if (files) await writeFiles(distDir, files);
  const app = httpApp();
  app.get("/trpc/known", async () => ({ ok: true }));
  const pageOf = async (path: string) => ({
    status: path === "/nowhere" ? 404 : 200,
    head: `<title>${path} costs $& and $1, __CSP_NONCE__ <!--boot--></title>`,
  });
  await registerStatic(app, { distDir, pageOf });
  return app;
}

const template = `<!doctype html><html><head><meta property="csp-nonce" nonce="__CSP_NONCE__"><!--head--></head><body><style nonce="__CSP_NONCE__"></style><!--boot--></body></html>`;

test("every address that a browser navigates to gets the page, with a nonce of its own", async () => {
  const app = await staticApp(template);
  const nonces = new Set<string>();
  for (const url of ["/", "/discover?sort=new", "/project/42", "/admin/payments"]) {
    const answer = await app.inject({ url, headers: page });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" });
    const policy = String(answer.headers["content-security-policy"]);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(answer.body.split(`nonce="${nonce}"`)).toHaveLength(3);
    // What is put into the head is read neither as a pattern nor as a placeholder.
    const head = `<title>${url.split("?")[0]} costs $& and $1, __CSP_NONCE__ <!--boot--></title>`;
    expect(answer.body).toContain(head);
    expect(answer.body.replace(head, "")).not.toMatch(/__CSP_NONCE__|<!--/);
    expect(policy).toContain("script-src 'self';");
    // Style attributes alone: neither scripts nor style tags run without the nonce.
    expect(policy.split("unsafe-inline")).toHaveLength(2);
    expect(policy).toContain("style-src-attr 'unsafe-inline'");
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
});

test("a larger page goes compressed to whoever can read it", async () => {
  const app = await staticApp(template.replace("<!--boot-->", "<p>farm</p>".repeat(200)));
  const small = await app.inject({ url: "/", headers: { ...page, "accept-encoding": "gzip, br" } });
  expect(small.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
  expect(small.rawPayload.length).toBeLessThan(400);
  expect(brotliDecompressSync(small.rawPayload).toString()).toContain("<p>farm</p>");
  const plain = await app.inject({ url: "/", headers: page });
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(plain.body).toContain("<p>farm</p>");
});

test("hashed assets are kept for ever and sent precompressed, other files for an hour", async () => {
  const app = await staticApp(template);
  const asset = await app.inject({ url: "/assets/main-1a2b.js", headers: { "accept-encoding": "gzip, br" } });
  expect(asset.headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-encoding": "br",
    "content-type": expect.stringContaining("javascript"),
  });
  expect(brotliDecompressSync(asset.rawPayload).toString()).toBe(script);
  expect((await app.inject("/assets/main-1a2b.js")).body).toBe(script);

  const robots = await app.inject("/robots.txt");
  expect(robots.headers).toMatchObject({ "cache-control": "public, max-age=3600", etag: expect.any(String) });
  const again = await app.inject({ url: "/robots.txt", headers: { "if-none-match": String(robots.headers.etag) } });
  expect(again.statusCode).toBe(304);
});

test.each(["/assets/gone-3c4d.js", "/trpc/unknown", "/uploads/x", "/files/x", "/dev/x", "/livestream/1/x"])(
  "%s is not a page, even for a browser",
  async (url) => {
    const answer = await (await staticApp(template)).inject({ url, headers: page });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ error: { reason: "not_found", message: "Not found" } });
  },
);

test.each([
  "/.vite/manifest.json",
  "/assets/main-1a2b.js.br",
  "/../secret.txt",
  "/%2e%2e/secret.txt",
  "/assets/..%2f..%2fsecret.txt",
  "/index.html",
  "/livestream.html",
  "/%",
  "/assets/main-1a2b.js%00.png",
])("%s gives no file", async (url) => {
  const answer = await (await staticApp(template)).inject({ url });
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode).toBeLessThan(500);
});

test("routes come first, and a missing file gets no page", async () => {
  const app = await staticApp(template);
  expect((await app.inject({ url: "/trpc/known", headers: page })).json()).toEqual({ ok: true });
  for (const headers of [{ accept: "*/*" }, { accept: "image/*", "sec-fetch-mode": "no-cors" }, {}]) {
    const answer = await app.inject({ url: "/missing.png", headers });
    expect([answer.statusCode, answer.json().error.reason]).toEqual([404, "not_found"]);
  }
});

test.each([
  ["Node's fetch, a link checker", { accept: "*/*", "sec-fetch-mode": "cors" }],
  ["a script's fetch of another kind", { accept: "*/*", "sec-fetch-mode": "no-cors" }],
  ["a link preview that takes anything", { accept: "*/*" }],
  ["a monitor that wants data", { accept: "application/json" }],
  ["a client that says nothing", {}],
])("a page answers to %s as well", async (_who, headers) => {
  const app = await staticApp(template);
  for (const url of ["/", "/discover?sort=new", "/project/42"]) {
    const answer = await app.inject({ url, headers });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  }
  expect((await app.inject({ url: "/nowhere", headers })).statusCode).toBe(404);
  expect((await app.inject({ url: "/assets/gone-3c4d.js", headers })).statusCode).toBe(404);
});

test("Node's own fetch gets a page", async () => {
  const url = await listening(await staticApp(template));
  const answer = await fetch(`${url}/discover`);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("<title>/discover")]);
});

test("without a build a browser reads what to do", async () => {
  const app = await staticApp();
  const answer = await app.inject({ url: "/discover", headers: page });
  expect([answer.statusCode, answer.body]).toEqual([503, "The client isn't built yet: run `npm run build`.\n"]);
  expect((await app.inject("/assets/x.js")).statusCode).toBe(404);
});

test("an unknown address gets the page too, as not found", async () => {
  const answer = await (await staticApp(template)).inject({ url: "/nowhere", headers: page });
  expect(answer.statusCode).toBe(404);
  expect(answer.headers["content-type"]).toContain("text/html");
  expect(answer.body).toContain("<title>/nowhere");
});
