package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	openapi "assay.test/generated"
)

func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("ASSAY_API_KEY"))
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("ASSAY_BASE_URL")}}
	client := openapi.NewAPIClient(configuration)
	var input map[string]interface{}
	if err := json.Unmarshal([]byte(os.Getenv("ASSAY_INPUT")), &input); err != nil {
		panic(err)
	}
	slug := "advice-assurance-check"
	quote := must(client.UseCasesAPI.QuoteUseCase(ctx, slug).QuoteRequest(*openapi.NewQuoteRequest(input)).Execute())
	asked := openapi.NewUseCaseRunCreateRequest(input)
	asked.SetQuoteId(quote.GetId())
	begun := must(client.UseCasesAPI.CreateUseCaseRun(ctx, slug).IdempotencyKey("openapi-generator-go").
		UseCaseRunCreateRequest(*asked).Execute())
	run := must(client.RunsAPI.GetRun(ctx, begun.GetId()).Wait(60).Execute())
	result := run.GetResult()
	receipt := must(client.RunsAPI.GetRunReceipt(ctx, run.GetId()).Execute())
	severity := result.AfaAssuranceResult.Findings[0].GetSeverity()
	fmt.Println(run.GetStatus(), quote.GetMaximumCredits(), severity, len(strings.Split(receipt, ".")))
}
