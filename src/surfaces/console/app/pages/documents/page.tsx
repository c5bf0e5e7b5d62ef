import { IconFiles } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { api, bodyOf } from "../../shared/api.ts";
import { Page } from "../../shared/page.tsx";
import { useMe } from "../../shared/session.ts";
import { Empty, Loaded, Loading } from "../../shared/states.tsx";
import { Ask } from "./ask.tsx";
import { Catalogue, Markets, Providers, Totals } from "./holdings.tsx";
import { useWords } from "./words.ts";

const Import = lazy(() => import("./import.tsx"));

/** The insurance documents: a question about them, and their coverage. */
export default function Documents() {
  const say = useWords();
  const isOperator = useMe().user.app_metadata.operator;
  const query = useQuery({
    queryKey: ["insurance", "coverage"],
    queryFn: () => bodyOf(api.GET("/v1/insurance/coverage")),
  });
  return (
    <Page title={say("title")} lead={say("lead")}>
      <Loaded query={query}>
        {({ markets, ...coverage }) => (
          <>
            {markets.length === 0 ? (
              <Empty icon={IconFiles} title={say("none")} text={say(isOperator ? "none_text_operator" : "none_text")} />
            ) : (
              <>
                <Ask markets={markets} />
                <Totals coverage={{ markets, ...coverage }} />
              </>
            )}
            {isOperator && (
              <Suspense fallback={<Loading />}>
                <Import held={markets} />
              </Suspense>
            )}
            {markets.length > 0 && (
              <>
                <Markets markets={markets} />
                <Providers markets={markets} />
                <Catalogue />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
