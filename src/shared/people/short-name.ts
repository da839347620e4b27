/** "Ada O." of "Ada Ngozi Obi": what a stranger needs to call somebody, and no more. One name alone stays. */
export function shortName(fullName: string): string {
  const [first = "", ...rest] = fullName.trim().split(/\s+/);
  const [initial] = rest.at(-1) ?? "";
  return initial === undefined ? first : `${first} ${initial.toUpperCase()}.`;
}
