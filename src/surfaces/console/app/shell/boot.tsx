import { useCommonWords } from "../shared/common-words.ts";

/** The frame shown before the signed-in person is known, the same as in the server's HTML. */
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
