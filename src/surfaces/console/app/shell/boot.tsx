import { useCommonWords } from "../shared/common-words.ts";

/** The frame of every page before anybody knows whose it is: what the server's HTML shows until the program runs. */
export function Boot() {
  const say = useCommonWords();
  return (
    <div className="boot" role="status" aria-busy="true" aria-label={say("loading")}>
      <div className="boot-side">Assay</div>
      <div className="boot-page">
        <div />
        <div />
        <div />
      </div>
    </div>
  );
}
