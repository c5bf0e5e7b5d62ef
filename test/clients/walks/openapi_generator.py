import json
import os

import openapi_client
from openapi_client import QuoteRequest, UseCaseRunCreateRequest

configuration = openapi_client.Configuration(
    host=os.environ["ASSAY_BASE_URL"], access_token=os.environ["ASSAY_API_KEY"]
)
body = {"input": json.loads(os.environ["ASSAY_INPUT"])}
slug = "advice-assurance-check"

with openapi_client.ApiClient(configuration) as client:
    use_cases = openapi_client.UseCasesApi(client)
    runs = openapi_client.RunsApi(client)
    quote = use_cases.quote_use_case(slug, QuoteRequest.from_dict(body))
    asked = UseCaseRunCreateRequest.from_dict({**body, "quote_id": quote.id})
    begun = use_cases.create_use_case_run(slug, asked, idempotency_key="openapi-generator")
    run = runs.get_run(begun.id, wait=60)
    receipt = runs.get_run_receipt(run.id)
    finding = run.result.actual_instance.findings[0]
    print(run.status, quote.maximum_credits, finding.severity, len(receipt.split(".")))
