import { useQuery } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";

export type Study = Schemas["ValidationStudy"];
export type Report = NonNullable<Study["report"]>;
export type Listed = Schemas["ValidationList"]["validations"][number];

/** Returns the newest studies, newest first, and refetches them while one is running. */
export const useStudies = () =>
  useQuery({
    queryKey: ["validations"],
    queryFn: () => bodyOf(api.GET("/v1/validator/validations", { params: { query: { limit: 50 } } })),
    refetchInterval: ({ state }) => (state.data?.validations.some(({ status }) => status === "running") ? 2000 : false),
  });

/** Returns one study, and refetches it every second while it is running. */
export const useStudy = (simulation_id: string) =>
  useQuery({
    queryKey: ["validation", simulation_id],
    enabled: simulation_id !== "",
    queryFn: () =>
      bodyOf(api.GET("/v1/validator/validations/{simulation_id}", { params: { path: { simulation_id } } })),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? 1000 : false),
  });

/** Returns the audiences. `enabled`: whether to load them. */
export const useAudiences = (enabled = true) =>
  useQuery({ queryKey: ["audiences"], enabled, queryFn: () => bodyOf(api.GET("/v1/validator/audiences")) });

/** Returns an audience with some of its personas. */
export const useAudience = (audience_id: string) =>
  useQuery({
    queryKey: ["audience", audience_id],
    enabled: audience_id !== "",
    queryFn: () => bodyOf(api.GET("/v1/validator/audiences/{audience_id}", { params: { path: { audience_id } } })),
  });
