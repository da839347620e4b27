/** For owners and the server's log, where a real site has no mail server. */
export const mailTexts = {
  staysHere: "Mails don't leave this server.",
  whatToDo:
    "Nobody is mailed about payments, harvests or payouts, and no link to reset a password arrives. Have whoever runs the server set SMTP_URL to your mail server, like smtp://user:password@host:587, and start it anew.",
} as const;
