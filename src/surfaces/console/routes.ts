import { Type as T } from "@sinclair/typebox";
import { frame, pageHeaders } from "../../accounts/pages/frame.ts";
import { languageOf, wordsIn } from "../../accounts/pages/language.ts";
import { studyPath } from "../../products/validator/conductor.ts";
import type { Validator } from "../../products/validator/service.ts";
import { callerIfAny } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { validationContent } from "./validation-page.ts";
import { consoleWordsIn } from "./words.ts";

/** What the console's pages are served by. */
interface ConsoleServices {
  readonly validator: Validator;
  readonly baseUrl: string;
}

/** From the page's own folder to the installation's. */
const root = "../../";

/** The pages of the console: a study's, for its firm. Whoever is not signed in is sent to sign in, and back. */
export const consoleRoutes = ({ validator, baseUrl }: ConsoleServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/console/validations/:id",
    access: { credential: "Platform", scopes: ["validator:read"], optional: true },
    detail: "hidden",
    params: T.Object({ id: T.String({ format: "uuid" }) }),
    handler: async ({ params: { id }, request }) => {
      const caller = callerIfAny(request);
      if (!caller) {
        const back = encodeURIComponent(baseUrl + studyPath(id));
        const location = `${root}sign-in?redirect_to=${back}`;
        return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
      }
      const { result, hypothesis, people } = await validator.study(caller, id);
      const language = languageOf(request.headers.get("accept-language"));
      const words = consoleWordsIn[language];
      const content = validationContent(result, hypothesis, people, words);
      const page = frame({ language, words: wordsIn[language], title: words.title, name: "console", content, root });
      return new Response(page, { headers: pageHeaders(language) });
    },
  }),
];
