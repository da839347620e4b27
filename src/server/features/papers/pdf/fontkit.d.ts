/** The part of fontkit that letters.ts uses; the package has no types of its own. */
declare module "fontkit" {
  export function openSync(path: string): { characterSet: number[] };
}
