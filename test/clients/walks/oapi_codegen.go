package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	authorized := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+os.Getenv("ASSAY_API_KEY"))
		return nil
	}
	client := must(NewClientWithResponses(os.Getenv("ASSAY_BASE_URL"), WithRequestEditorFn(authorized)))
	var quoteRequest QuoteRequest
	if err := json.Unmarshal([]byte(`{"input":`+os.Getenv("ASSAY_INPUT")+`}`), &quoteRequest); err != nil {
		panic(err)
	}
	slug := "advice-assurance-check"
	quote := must(client.QuoteUseCaseWithResponse(ctx, slug, quoteRequest)).JSON200
	key := "oapi-codegen"
	begun := must(client.CreateUseCaseRunWithResponse(ctx, slug, &CreateUseCaseRunParams{IdempotencyKey: &key},
		UseCaseRunCreateRequest{Input: quoteRequest.Input, QuoteId: &quote.Id})).JSON202
	wait := 60
	run := must(client.GetRunWithResponse(ctx, begun.Id, &GetRunParams{Wait: &wait})).JSON200
	result := must(run.Result.AsAfaAssuranceResult())
	receipt := string(must(client.GetRunReceiptWithResponse(ctx, run.Id)).Body)
	fmt.Println(run.Status, quote.MaximumCredits, result.Findings[0].Severity, len(strings.Split(receipt, ".")))
}
