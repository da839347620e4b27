import fc from "fast-check";
import { expect, test } from "vitest";
import { tryColor } from "#server/features/site/profile/look.ts";
import { contrast, lookCss, readRoles } from "#shared/site/look.ts";
import { isLong } from "#tests/support/length.ts";

const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const grounds = { light: ["#fbf8f1", "#ffffff", "#f3eee3"], dark: ["#141a13", "#1d241b", "#0f140e"] };

test("of 300 colours, and at night of 10,000, each accepted one reads well in both schemes, and each refused one names a neighbour that does", () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(colors, (color) => {
      const tried = tryColor(color);
      if ("fault" in tried) {
        seen.refused++;
        expect(tried.fault).toContain(`The nearest that works is ${tried.nearest}.`);
        expect(tryColor(tried.nearest)).toHaveProperty("look");
        return;
      }
      seen.accepted++;
      const { look, roles } = tried;
      expect(look.shades).toHaveLength(10);
      expect(look.shades).toContain(color);
      for (const scheme of ["light", "dark"] as const) {
        expect(contrast(roles.button[scheme], "#ffffff")).toBeGreaterThanOrEqual(4.5);
        for (const ground of grounds[scheme]) {
          expect(contrast(roles.text[scheme], ground)).toBeGreaterThanOrEqual(7);
        }
      }
      expect(contrast(roles.text.light, roles.tint)).toBeGreaterThanOrEqual(7);
    }),
    isLong ? { numRuns: 10_000 } : { numRuns: 300, seed: 1 },
  );
  expect(seen.accepted).toBeGreaterThan(50);
  expect(seen.refused).toBeGreaterThan(50);
});

test.each([
  ["#40a050", "White text on this green reads badly"],
  ["#1d6b2f", "Text in this green reads badly on light pages"],
  ["#ffffff", "White text on this grey reads badly"],
])("%s is refused: %s", (color, text) => {
  const tried = tryColor(color);
  expect(tried).toMatchObject({ fault: expect.stringContaining(text) });
});

test.each(["#165726", "#0b3d91", "#7a1414", "#4a1a6b", "#000000"])("%s is the button's own colour", (color) => {
  expect(tryColor(color)).toMatchObject({ roles: { button: { light: color } } });
});

test("shades that don't pass reach no page", () => {
  expect(lookCss(null)).toBe("");
  const shades = Array.from({ length: 10 }, () => "#ffff00");
  expect(readRoles({ color: "#ffff00", shades })).toHaveProperty("fault");
  expect(lookCss({ color: "#ffff00", shades })).toBe("");
});
