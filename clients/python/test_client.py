"""Against a real server: ASSAY_BASE_URL, a key that may do everything in ASSAY_API_KEY, and a narrow one."""

import os
import unittest
import uuid

from assay_client import (
    Assay,
    AuthenticationError,
    ConflictError,
    NoAnswerError,
    NotFoundError,
    ScopeError,
    ServerError,
    ValidationError,
)

BASE_URL = os.environ["ASSAY_BASE_URL"]
INPUT = {
    "question": "Should I invest my savings?",
    "answer": "This fund is guaranteed to double your money within a year, without any risk.",
    "check": "full",
}


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.assay = Assay(BASE_URL, os.environ["ASSAY_API_KEY"])

    def test_goes_from_the_quote_to_the_receipt(self) -> None:
        quote = self.assay.quote("advice-assurance-check", INPUT)
        started = self.assay.run_use_case("advice-assurance-check", INPUT, quote_id=quote["id"])
        run = self.assay.wait(started)
        self.assertEqual(run["status"], "succeeded")
        self.assertEqual(run["charges"]["charged_credits"], quote["maximum_credits"])
        self.assertEqual(len(self.assay.receipt(run["id"]).split(".")), 3)
        result = self.assay.wait(self.assay.run_capability("afa-assurance", INPUT))["result"]
        self.assertIn("critical", [finding["severity"] for finding in result["findings"]])

    def test_sees_what_is_sold(self) -> None:
        self.assertIn("exa-filter", [item["slug"] for item in self.assay.capabilities(status="pilot")])
        self.assertEqual(self.assay.capability("exa-filter")["required_scopes"]["rest"], ["capabilities:run"])
        self.assertIn("advice-assurance-check", [item["slug"] for item in self.assay.use_cases()])

    def test_starts_a_run_once_under_one_idempotency_key(self) -> None:
        key = str(uuid.uuid4())
        one = self.assay.run_capability("afa-assurance", INPUT, idempotency_key=key)
        two = self.assay.run_capability("afa-assurance", INPUT, idempotency_key=key)
        self.assertEqual(one["id"], two["id"])
        with self.assertRaises(ConflictError):
            self.assay.run_capability("afa-assurance", {**INPUT, "check": "ethics"}, idempotency_key=key)

    def test_walks_through_lists_of_several_pages(self) -> None:
        for _ in range(5):
            self.assay.run_capability("afa-assurance", INPUT)
        ids = [run["id"] for run in self.assay.runs(limit=2, capability="afa-assurance")]
        self.assertEqual(len(set(ids)), len(ids))
        self.assertGreaterEqual(len(ids), 5)
        self.assertEqual(next(self.assay.credit_entries())["balance_after"], self.assay.balance())
        self.assertEqual(list(self.assay.jobs()), [])

    def test_raises_an_error_of_its_own_class_for_each_kind_of_refusal(self) -> None:
        with self.assertRaises(ValidationError) as invalid:
            self.assay.run_capability("exa-filter", {})
        self.assertEqual((invalid.exception.status, invalid.exception.code), (422, "validation_error"))
        self.assertIn("/body/input/question", [detail["path"] for detail in invalid.exception.details])
        self.assertIsNotNone(invalid.exception.request_id)
        with self.assertRaises(NotFoundError):
            self.assay.run(str(uuid.uuid4()))
        with self.assertRaises(AuthenticationError):
            Assay(BASE_URL, "nonsense").balance()
        with self.assertRaises(ScopeError) as narrow:
            Assay(BASE_URL, os.environ["ASSAY_NARROW_KEY"]).balance()
        self.assertEqual(narrow.exception.details[0]["message"], "needs the scope account:read")
        with self.assertRaises(ServerError) as off:
            self.assay.run_capability("eu-market-data", {"question": "GDP?", "countries": ["CZ"]})
        self.assertEqual((off.exception.code, off.exception.retry_after), ("capability_runs_disabled", 60))

    def test_says_where_nobody_answers(self) -> None:
        with self.assertRaises(NoAnswerError):
            Assay("http://127.0.0.1:9", retries=0).capabilities()


if __name__ == "__main__":
    unittest.main()
