import { isRecord } from "./errors.ts";
import { keepForTab, readKept, type TabName } from "./tab-store.ts";

/**
 * A key for what a form holds: the same one for the same content, so that what is sent again after a lost answer counts
 * once. It is kept beside the form's draft, outlives a reload with it, and is forgotten with it.
 */
export function contentKey(draft: TabName, values: object): string {
  const fields = Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify(fields, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
  const kept = readKept(draft);
  const { sending } = kept;
  if (isRecord(sending) && sending.content === content && typeof sending.key === "string") return sending.key;
  const key = crypto.randomUUID();
  keepForTab(draft, { ...kept, sending: { content, key } });
  return key;
}
