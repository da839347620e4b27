import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { drawText } from "#server/http/pages/draw-card.ts";

const folder = mkdtempSync(join(tmpdir(), "gona-fonts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = `
  import { createHash } from "node:crypto";
  import { drawText } from "#server/http/pages/draw-card.ts";
  const drawn = [];
  for (const text of JSON.parse(process.argv[1])) {
    const { png, width } = await drawText(text, { px: 44, color: "#14532d" });
    drawn.push({ width, hash: createHash("sha256").update(png).digest("hex") });
  }
  console.log(JSON.stringify(drawn));
`;

/** Lines as a process draws them that knows no fonts but those of `config`, a file of fontconfig. */
function drawIn(config: string, texts: string[]): { width: number; hash: string }[] {
  const env = { ...process.env, FONTCONFIG_FILE: config };
  const args = ["--input-type=module", "--eval", program, JSON.stringify(texts)];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: "utf8" }));
}

test("the words of a card look the same whatever fonts the system has, and ₦ is among them", {
  timeout: 30_000,
}, async () => {
  const none = join(folder, "fonts.conf");
  writeFileSync(none, `<?xml version="1.0"?><fontconfig><cachedir>${folder}</cachedir></fontconfig>`);
  const bare = drawIn(none, ["₦1,250,000", "₦", "N", "\ue000"]);
  const here = await drawText("₦1,250,000", { px: 44, color: "#14532d" });
  // Systems smooth letters in their own ways, by a pixel. Another font's would be wider by far.
  expect(Math.abs(here.width - (bare[0]?.width ?? 0))).toBeLessThanOrEqual(2);
  // The last one is in no font: what a missing sign looks like.
  expect(new Set(bare.map(({ hash }) => hash)).size).toBe(4);
});
