import { IconSearch } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import classes from "./header.module.css";

/** Goes to /discover with the text, which searches the titles there (product decision). */
export function HeaderSearch() {
  const id = useId();
  const router = useRouter();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get("search");
    const search = typeof text === "string" ? text.trim() : "";
    router.navigate({ to: "/discover", search: search ? { search } : {} });
  };
  return (
    <search className={classes.search}>
      <form action="/discover" onSubmit={submit}>
        <label className="visually-hidden" htmlFor={id}>
          Search projects
        </label>
        <IconSearch size={18} stroke={1.75} aria-hidden="true" />
        <input
          id={id}
          type="search"
          name="search"
          placeholder="Search projects"
          maxLength={100}
          enterKeyHint="search"
        />
      </form>
    </search>
  );
}
