import "@tanstack/react-query";
import "react-dom/client";
import "react-router";
