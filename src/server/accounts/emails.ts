import { type Mail, supportLink } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { confirmLinkHours, resetLinkMinutes } from "#shared/accounts/inputs.ts";
import { formatDateTime } from "#shared/dates.ts";
import type { Role } from "#shared/permissions.ts";
import type { Site } from "#shared/site/site.ts";

/**
 * The mails about an account, sent by several features. Tokens are in a link's fragment, which appears in no server's
 * log and no referrer. Send these with `holdsToken`.
 */
type Reader = { fullName: string; site: Site };

/**
 * Anybody can choose the name for somebody's address, so a name that may be read as a link or an address is left out.
 */
function greeting(fullName: string): string {
  const name = oneLine(fullName);
  return name === "" || /[/\\:@<>]|\.\S|www/i.test(name) ? "Hello," : `Hello ${name},`;
}

/** The link that confirms an address, valid once within 24 hours. */
export function confirmationMail({
  fullName,
  site,
  token,
  next,
}: Reader & { token: string; next?: string | undefined }): Mail {
  const link = new URLSearchParams({ type: "signup", access_token: token, ...(next && { next }) });
  return {
    subject: `Confirm your email for ${site.name}`,
    content: {
      title: "Confirm your email",
      paragraphs: [
        greeting(fullName),
        `Thank you for joining ${site.name}. Please confirm that this is your address: open the page and enter the password that you chose.`,
      ],
      action: { label: "Confirm my email", url: `${site.publicUrl}/auth-callback#${link}` },
      footnote: `The link works once, within ${confirmLinkHours} hours. If you didn't create an account, you can ignore this mail: nobody can use it without your confirmation. Never confirm an account that somebody else has set up for you.`,
    },
  };
}

/** The link for a new password, valid once within 60 minutes. Administrators have their own page. */
export function passwordResetMail(input: Reader & { token: string; isAdmin: boolean }): Mail {
  const { fullName, site, token, isAdmin } = input;
  const page = isAdmin ? "/admin/reset-password" : "/reset-password";
  return {
    subject: `Reset your ${site.name} password`,
    content: {
      title: "Reset your password",
      paragraphs: [
        greeting(fullName),
        `Somebody asked for a new password for your ${site.name} account. If it was you, choose one now. You will then be signed out everywhere and can sign in with it.`,
      ],
      action: { label: "Choose a new password", url: `${site.publicUrl}${page}#type=recovery&access_token=${token}` },
      footnote: `The link works once, within ${resetLinkMinutes} minutes. If you didn't ask for it, you can ignore this mail: your password stays as it is.`,
    },
  };
}

/** Sent after a reset or a change in the profile, to the account's address. */
export function passwordChangedMail({ fullName, site, at }: Reader & { at: Date }): Mail {
  return {
    subject: `Your ${site.name} password was changed`,
    content: {
      title: "Your password was changed",
      paragraphs: [
        greeting(fullName),
        `The password of your ${site.name} account was changed on ${formatDateTime(at)}. You have been signed out everywhere.`,
        "If this was you, there is nothing more to do.",
      ],
      action: { label: "It wasn't me: reset my password", url: `${site.publicUrl}/forgot-password` },
      footnote: ["If you didn't change it, reset it at once and write to ", supportLink(site), "."],
    },
  };
}

/**
 * Sent to the new address before the change, because the link proves the address. `url` has the token in its fragment.
 */
export function newEmailMail({ site, fullName, url }: Reader & { url: string }): Mail {
  return {
    subject: `Confirm your new email for ${site.name}`,
    content: {
      title: "Confirm your new email",
      paragraphs: [
        greeting(fullName),
        `Somebody who is signed in to a ${site.name} account asked to use this address for it. If that was you, please confirm it: you are asked for the account's password, unless you are signed in to it. Until then the account keeps the address it has.`,
      ],
      action: { label: "Confirm my new email", url },
      footnote: `The link works once, within ${confirmLinkHours} hours. If you didn't ask for it, you can ignore this mail.`,
    },
  };
}

/** Sent to the account's previous address. */
export function emailChangedMail({ site, fullName, newEmail, at }: Reader & { newEmail: string; at: Date }): Mail {
  return {
    subject: `Your ${site.name} email was changed`,
    content: {
      title: "Your email was changed",
      paragraphs: [
        greeting(fullName),
        `The address of your ${site.name} account was changed on ${formatDateTime(at)}. From now on we write to ${newEmail}, and you sign in with it. All other devices were signed out.`,
        "If this was you, there is nothing more to do.",
      ],
      footnote: ["If you didn't change it, write to ", supportLink(site), " at once."],
    },
  };
}

/** Sent to the owner of an address that somebody else wanted for their account. Nothing has changed. */
export function emailInUseMail({ fullName, site }: Reader): Mail {
  return {
    subject: `Somebody asked to use your email at ${site.name}`,
    content: {
      title: "Your email is already in use",
      paragraphs: [
        greeting(fullName),
        `Somebody who is signed in to another ${site.name} account asked to use this address for it. It belongs to your account, so nothing was changed.`,
        "If it was you, sign in to the account that has this address.",
      ],
      action: { label: "Sign in", url: `${site.publicUrl}/login` },
      footnote: "If it wasn't you, there is nothing to do.",
    },
  };
}

/** Sent last, when a person has closed their account. */
export function accountClosedMail({ site, fullName, at }: Reader & { at: Date }): Mail {
  return {
    subject: `Your ${site.name} account is closed`,
    content: {
      title: "Your account is closed",
      paragraphs: [
        greeting(fullName),
        `Your ${site.name} account was closed on ${formatDateTime(at)}. Your name, address and password were removed, and nobody can sign in to it any more.`,
        "What you backed and paid stays in our books, without your name.",
      ],
      footnote: ["If you didn't close it, or wait for a payment to be decided, write to ", supportLink(site), "."],
    },
  };
}

/** Sent after a Google account was linked, or unlinked (`googleEmail` null). */
export function identityMail(input: Reader & { googleEmail: string | null; dropsPassword?: boolean; at: Date }): Mail {
  const { fullName, site, googleEmail, dropsPassword = false, at } = input;
  const isLinked = googleEmail !== null;
  const title = isLinked ? "Google was linked to your account" : "Google was unlinked from your account";
  return {
    subject: `Google was ${isLinked ? "linked to" : "unlinked from"} your ${site.name} account`,
    content: {
      title,
      paragraphs: [
        greeting(fullName),
        isLinked
          ? `Since ${formatDateTime(at)} the Google account ${googleEmail} can be used to sign in to your ${site.name} account.`
          : `Since ${formatDateTime(at)} Google can't be used any more to sign in to your ${site.name} account.`,
        ...(dropsPassword
          ? ["The password that the account had was removed, and all devices were signed out. You can set a new one."]
          : []),
        "If this was you, there is nothing more to do.",
      ],
      action: { label: "Look at my account", url: `${site.publicUrl}/profile/account` },
      footnote: ["If it wasn't you, reset your password at once and write to ", supportLink(site), "."],
    },
  };
}

/** Sent after a sign-in from a new device, if the account has known others. */
export function newDeviceMail(input: Reader & { device: string; ipAddress: string; at: Date }): Mail {
  const { fullName, site, device, ipAddress, at } = input;
  return {
    subject: `New sign-in to your ${site.name} account`,
    content: {
      title: "New sign-in to your account",
      paragraphs: [
        greeting(fullName),
        "Somebody signed in to your account from a device that we haven't seen before.",
        `Device: ${device}\nAddress: ${ipAddress}\nTime: ${formatDateTime(at)}`,
        "If this was you, there is nothing more to do.",
      ],
      action: { label: "It wasn't me: reset my password", url: `${site.publicUrl}/forgot-password` },
      footnote: ["A new password signs every device out. Questions? Write to ", supportLink(site), "."],
    },
  };
}

/**
 * Sent after an administrator's second factor was switched on or off (also on the command line), or its codes renewed.
 */
export function twoFactorMail(input: Reader & { change: "on" | "off" | "renewed"; at: Date }): Mail {
  const { fullName, site, change, at } = input;
  const when = formatDateTime(at);
  const { title, notice } = {
    on: {
      title: "Two-factor sign-in was switched on",
      notice: `Since ${when} signing in to your ${site.name} account also takes a code from your authenticator app. You have been signed out on all other devices.`,
    },
    off: {
      title: "Two-factor sign-in was switched off",
      notice: `Since ${when} signing in to your ${site.name} account takes no code any more.`,
    },
    renewed: {
      title: "You have new recovery codes",
      notice: `New recovery codes for your ${site.name} account were made on ${when}. The ones you had before don't work any more.`,
    },
  }[change];
  return {
    subject: `${site.name}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    content: {
      title,
      paragraphs: [greeting(fullName), notice, "If this was you, there is nothing more to do."],
      action: { label: "It wasn't me: reset my password", url: `${site.publicUrl}/admin/forgot-password` },
      footnote: ["If it wasn't you, reset your password at once and write to ", supportLink(site), "."],
    },
  };
}

/** Sent after a sign-in with a recovery code. `left` is the number of unused ones. */
export function recoveryCodeUsedMail(input: Reader & { left: number; at: Date }): Mail {
  const { fullName, site, left, at } = input;
  const remaining = left === 0 ? "It was the last one" : left === 1 ? "One is left" : `${left} are left`;
  return {
    subject: `A recovery code of your ${site.name} account was used`,
    content: {
      title: "A recovery code was used",
      paragraphs: [
        greeting(fullName),
        `Somebody used one of your recovery codes on ${formatDateTime(at)} in place of a code from your authenticator app. ${remaining}: you can make new ones in your account.`,
        "If this was you, there is nothing more to do.",
      ],
      action: { label: "It wasn't me: reset my password", url: `${site.publicUrl}/admin/forgot-password` },
      footnote: ["If it wasn't you, reset your password at once and write to ", supportLink(site), "."],
    },
  };
}

/**
 * Sent to a person whom an owner invited as administrator. `url` has the token in its fragment and is valid for
 * `hours`.
 */
export function invitationMail(input: {
  site: Site;
  fullName: string;
  invitedBy: string;
  role: Role;
  hours: number;
  url: string;
}): Mail {
  const { site, fullName, invitedBy, role, hours, url } = input;
  return {
    subject: `You are invited to help run ${site.name}`,
    content: {
      title: `Join the team of ${site.name}`,
      paragraphs: [
        greeting(fullName),
        `${invitedBy} invited you to ${site.name} as ${role}. Set up your account to begin.`,
      ],
      action: { label: "Set up my account", url },
      footnote: `The link works once, within ${hours} hours, and only for this address. If you don't know what this is about, you can ignore this mail.`,
    },
  };
}
