// Starts Swagger UI on the page. A file of its own, because the page allows no inline script.
window.addEventListener("load", () => {
  window.SwaggerUIBundle({
    url: "/openapi-public.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: false,
    validatorUrl: null,
  });
});
