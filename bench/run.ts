import { readdirSync } from "node:fs";

/** `npm run bench -- NAME…` runs measurements of this folder by their file's name; without a name it lists them. */
const names = readdirSync(import.meta.dirname)
  .map((file) => file.replace(/\.ts$/, ""))
  .filter((name) => name !== "run")
  .sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (wanted.length === 0 || unknown.length > 0) {
  console.log(`usage: npm run bench -- ${names.join(" | ")}`);
  process.exitCode = unknown.length > 0 ? 1 : 0;
} else {
  for (const name of wanted) await import(`./${name}.ts`);
}
