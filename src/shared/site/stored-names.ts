/**
 * All that the product keeps in a browser, for the cookie policy; tests/unit/stored-names.test.ts holds it against the
 * code.
 */

export type StoredName = { name: string; purpose: string; kept: string };

/** Over https each name begins with `__Host-`: only this site, and only over https, can then set it. */
export const cookies: readonly StoredName[] = [
  {
    name: "session",
    purpose: "Says that you are signed in. Set when you sign in, removed when you sign out.",
    kept: "At most 7 days; 12 hours for administrators. It ends earlier after a time without activity.",
  },
  {
    name: "device",
    purpose:
      "Lets us recognise a browser that signed in to your account before, so that a stranger who guesses passwords can't lock you out. Set when you sign in or sign up.",
    kept: "1 year",
  },
  {
    name: "form-token",
    purpose: "Proves that a form was sent from our own page and not from somebody else's.",
    kept: "1 hour",
  },
  {
    name: "sign-in",
    purpose: "After a failed sign-in, lets the page show how long sign-in stays locked, also when you reload it.",
    kept: "1 hour",
  },
  {
    name: "openid-flow",
    purpose: "Only when you sign in with Google: connects your way there with your way back.",
    kept: "10 minutes",
  },
  {
    name: "google-link",
    purpose:
      "Only when your Google account has the address of an account with a password: remembers it while you enter the password.",
    kept: "10 minutes",
  },
  {
    name: "second-step",
    purpose:
      "Only for accounts with a second factor: remembers that the first step was right while you enter the code.",
    kept: "5 minutes",
  },
];

export const localNames: readonly StoredName[] = [
  {
    name: "mantine-color-scheme-value",
    purpose: "Whether you chose the light or the dark colours.",
    kept: "Until you clear it",
  },
  {
    name: "lastActivity",
    purpose: "When you last did something here, so that all your tabs warn you before you are signed out.",
    kept: "Until you clear it",
  },
  {
    name: "sessionEndsAt",
    purpose: "When you will be signed out if you do nothing more, for the same reason.",
    kept: "Until you clear it",
  },
  {
    name: "isAdmin",
    purpose: "Only for administrators: shows the Dashboard button without waiting. It grants no rights.",
    kept: "Until you sign out",
  },
  {
    name: "terms-put-off",
    purpose: "Which announced change of our terms you put off, so that you are asked about it once.",
    kept: "Until you sign out",
  },
];

export const tabNames: readonly StoredName[] = [
  {
    name: "tsr-scroll-restoration-v1_3",
    purpose: "How far you had scrolled on a page, so that going back brings you to the same place.",
    kept: "Until you close the tab",
  },
  {
    name: "sign-up-sent",
    purpose: "The address that you signed up with, while it waits for your confirmation.",
    kept: "Until you sign in or close the tab",
  },
  {
    name: "contact-draft",
    purpose:
      "What you typed into the contact form, so that a reload doesn't lose it. Removed when the message is sent.",
    kept: "Until you close the tab",
  },
  {
    name: "application-draft",
    purpose: "The same for a job application.",
    kept: "Until you close the tab",
  },
  {
    name: "message-draft:…",
    purpose:
      "The same for a message that you write about a project; your account and the project follow the colon. Removed when it is sent.",
    kept: "Until you close the tab",
  },
  {
    name: "project-draft:…",
    purpose: "Only for administrators: the same for a project that isn't published yet.",
    kept: "Until you close the tab",
  },
  {
    name: "edit-draft:…",
    purpose:
      "Only for administrators: the same for changes to a project that aren't saved yet; your account and the project follow the colon.",
    kept: "Until you close the tab",
  },
  {
    name: "update-draft:…",
    purpose: "Only for administrators: the same for a report that isn't published yet.",
    kept: "Until you close the tab",
  },
  {
    name: "text-draft:…",
    purpose:
      "Only for administrators: the same for one of the site's texts that isn't saved yet; your account and the text follow the colon.",
    kept: "Until you close the tab",
  },
  {
    name: "reloaded-at",
    purpose: "When a page had to be loaded anew after a lost connection, so that this doesn't go round in circles.",
    kept: "Until you close the tab",
  },
  {
    name: "tanstack_router_reload:…",
    purpose: "The same for one part of a page that could not be fetched; its address follows the colon.",
    kept: "Until you close the tab",
  },
  {
    name: "invite-token",
    purpose: "Only for invited administrators: keeps the invitation until it is accepted.",
    kept: "Until you close the tab or accept",
  },
  {
    name: "farm-invite-token",
    purpose: "Only for people invited to report for a farm: keeps the invitation until it is accepted.",
    kept: "Until you close the tab or accept",
  },
];
