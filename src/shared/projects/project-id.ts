/** The id in an address as a valid database integer; null otherwise, when no such project exists. */
export function readProjectId(text: string): number | null {
  if (!/^\d{1,10}$/.test(text)) return null;
  const id = Number(text);
  return id >= 1 && id <= 2_147_483_647 ? id : null;
}
