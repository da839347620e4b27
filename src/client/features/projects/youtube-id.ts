const youtubeHosts = new Set(["youtube.com", "www.youtube.com", "m.youtube.com", "www.youtube-nocookie.com"]);

/** The id of a YouTube address, by exact host; null for every other address. */
export function youtubeId(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { hostname, pathname, searchParams } = new URL(address);
  const id =
    hostname === "youtu.be"
      ? pathname.slice(1)
      : youtubeHosts.has(hostname)
        ? (searchParams.get("v") ?? pathname.replace(/^\/(embed|shorts|live)\//, ""))
        : "";
  return /^[\w-]{11}$/.test(id) ? id : null;
}
