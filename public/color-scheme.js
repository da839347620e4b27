// Runs before the first paint so that nobody who chose a scheme sees the other one flash.
(() => {
  let scheme = null;
  try {
    scheme = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage is blocked: the system's choice stands.
  }
  if (scheme !== "light" && scheme !== "dark")
    scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
})();
