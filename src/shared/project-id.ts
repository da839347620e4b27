/** The id in an address as an integer that the database knows, else null: there is no such project. */
export function readProjectId(text: string): number | null {
  if (!/^\d{1,10}$/.test(text)) return null;
  const id = Number(text);
  return id >= 1 && id <= 2_147_483_647 ? id : null;
}
