import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/platform/deps.ts";
import type { Site } from "#shared/site/site.ts";

/** The page's icons, as tags of its head. */
export function iconTags({ markPath, version }: Pick<Site, "markPath" | "version">): string[] {
  const icons =
    markPath === null
      ? [
          '<link rel="icon" sizes="32x32" href="/favicon.ico" />',
          '<link rel="icon" type="image/svg+xml" href="/art/favicon.svg" />',
          '<link rel="icon" type="image/png" sizes="192x192" href="/art/icon-192.png" />',
          '<link rel="apple-touch-icon" href="/apple-touch-icon.png" />',
        ]
      : [
          `<link rel="icon" type="image/png" sizes="32x32" href="${markPath}/32.png" />`,
          `<link rel="icon" type="image/png" sizes="192x192" href="${markPath}/192.png" />`,
          `<link rel="apple-touch-icon" href="${markPath}/180.png" />`,
        ];
  return [...icons, `<link rel="manifest" href="/site.webmanifest?v=${version}" />`];
}

/** The manifest, and the icons that browsers and phones ask for without being told of any. */
export function registerIcons(app: FastifyInstance, deps: Pick<Deps, "site">, { distDir }: { distDir: string }): void {
  app.get("/site.webmanifest", async (_request, reply) => {
    const { name, markPath } = deps.site.current();
    const icon = (size: number) => ({
      src: markPath === null ? "/art/icon-192.png" : `${markPath}/${size}.png`,
      sizes: `${size}x${size}`,
      type: "image/png",
    });
    return reply
      .headers({ "cache-control": "public, max-age=3600", "content-type": "application/manifest+json; charset=utf-8" })
      .send(
        JSON.stringify({
          name,
          short_name: name.slice(0, 12).trim(),
          start_url: "/",
          display: "browser",
          theme_color: "#fbf8f1",
          background_color: "#fbf8f1",
          icons: markPath === null ? [icon(192)] : [icon(192), icon(512)],
        }),
      );
  });
  for (const [path, size] of [
    ["/favicon.ico", 32],
    ["/apple-touch-icon.png", 180],
  ] as const) {
    app.get(path, async (_request, reply) => {
      const { markPath } = deps.site.current();
      if (markPath !== null)
        return reply.header("cache-control", "public, max-age=3600").redirect(`${markPath}/${size}.png`);
      return reply.sendFile(path.slice(1), distDir, { maxAge: "1h" });
    });
  }
}
