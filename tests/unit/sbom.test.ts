import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "#tests/support/http-app.ts";
import { sbomName, writeSbom } from "../../scripts/sbom.ts";

type Sbom = { components: { name: string; version: string; purl: string; properties: { name: string }[] }[] };
type Package = { name: string; version: string } & Record<"dependencies" | "devDependencies", Record<string, string>>;

const root = join(import.meta.dirname, "../..");
const read = (...path: string[]) => readFileSync(join(...path), "utf8");
const named = (wanted: Record<string, string>) => Object.entries(wanted).map((entry) => entry.join("@"));

test("the build says in CycloneDX which packages it is made of, and which of them only build it", async () => {
  const folder = await tempFolder();
  await writeSbom(folder);
  const { name, version, dependencies, devDependencies } = JSON.parse(read(root, "package.json")) as Package;
  const sbom = JSON.parse(read(folder, sbomName)) as Sbom;
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: expect.stringMatching(/^1\.\d$/),
    metadata: { component: { name, version, type: "application" } },
  });
  for (const { purl } of sbom.components) expect(purl).toMatch(/^pkg:npm\/.+@.+/);
  const isForBuild = ({ properties }: Sbom["components"][number]) =>
    properties.some((property) => property.name === "cdx:npm:package:development");
  const listed = (components: Sbom["components"]) => components.map((one) => `${one.name}@${one.version}`);
  expect(listed(sbom.components.filter((one) => !isForBuild(one)))).toEqual(
    expect.arrayContaining(named(dependencies)),
  );
  expect(listed(sbom.components)).toEqual(expect.arrayContaining(named(devDependencies)));
  expect(listed(sbom.components.filter(isForBuild))).toContain(`vitest@${devDependencies.vitest}`);
});

test("the build writes the list, and the image has it", () => {
  expect(read(root, "scripts/build-pages.ts")).toContain('await writeSbom("dist");');
  expect(read(root, "Dockerfile")).toMatch(/^COPY --from=build \/app\/dist dist$/m);
});
