import { oneLine } from "#server/platform/text.ts";
import type { Permission } from "#shared/permissions.ts";
import type { MessageLabel } from "#shared/projects/messages-texts.ts";

type Reader = { permissions: readonly Permission[]; hasBacking: boolean };

export const mayRead = ({ permissions, hasBacking }: Reader): boolean =>
  hasBacking || permissions.includes("projects:view");

/** The role in which a reader writes. Administrators who may only view can't write, unless they back the project. */
export function sendsAs({ permissions, hasBacking }: Reader): "Admin" | "Backer" | null {
  if (permissions.includes("projects:edit")) return "Admin";
  return hasBacking ? "Backer" : null;
}

type Message = { isMine: boolean; isAdminReply: boolean; senderName: string };

/** Backers see no names, because they are strangers to each other. Administrators see the author's. */
export function senderFor(
  { permissions }: Pick<Reader, "permissions">,
  { isMine, isAdminReply, senderName }: Message,
): { label: MessageLabel; name: string | null } {
  const role = isAdminReply ? "Admin" : "Backer";
  if (permissions.includes("projects:view")) return { label: role, name: senderName };
  return { label: isMine ? "You" : role, name: null };
}

const excerptLength = 140;

/** One line of a message for lists and notifications. */
export function excerptOf(content: string): string {
  const characters = [...oneLine(content)];
  if (characters.length <= excerptLength) return characters.join("");
  return `${characters.slice(0, excerptLength).join("").trimEnd()}…`;
}
