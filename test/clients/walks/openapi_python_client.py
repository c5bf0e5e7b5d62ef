import json
import os

from generated import AuthenticatedClient
from generated.api.runs import get_run, get_run_receipt
from generated.api.use_cases import create_use_case_run, quote_use_case
from generated.models import QuoteRequest, Run, UseCaseRunCreateRequest

client = AuthenticatedClient(base_url=os.environ["ASSAY_BASE_URL"], token=os.environ["ASSAY_API_KEY"])
body = {"input": json.loads(os.environ["ASSAY_INPUT"])}
slug = "advice-assurance-check"

quote = quote_use_case.sync(slug, client=client, body=QuoteRequest.from_dict(body))
asked = UseCaseRunCreateRequest.from_dict({**body, "quote_id": str(quote.id)})
begun = create_use_case_run.sync(slug, client=client, body=asked, idempotency_key="openapi-python-client")
run = get_run.sync(begun.id, client=client, wait=60)
assert isinstance(run, Run)
receipt = get_run_receipt.sync(run.id, client=client)
print(run.status.value, quote.maximum_credits, run.result.findings[0].severity.value, len(receipt.split(".")))
