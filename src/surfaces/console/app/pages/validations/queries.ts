import { useQuery } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";

export type Study = Schemas["ValidationStudy"];
export type Report = NonNullable<Study["report"]>;
export type Listed = Schemas["ValidationList"]["validations"][number];

/** The newest studies, the newest first; read again while one of them runs. */
export const useStudies = () =>
  useQuery({
    queryKey: ["validations"],
    queryFn: () => bodyOf(api.GET("/v1/validator/validations", { params: { query: { limit: 50 } } })),
    refetchInterval: ({ state }) => (state.data?.validations.some(({ status }) => status === "running") ? 2000 : false),
  });

/** One study, read again every second while it runs. */
export const useStudy = (simulation_id: string) =>
  useQuery({
    queryKey: ["validation", simulation_id],
    enabled: simulation_id !== "",
    queryFn: () =>
      bodyOf(api.GET("/v1/validator/validations/{simulation_id}", { params: { path: { simulation_id } } })),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? 1000 : false),
  });

/** Those who may be asked; `enabled`: whether they are wanted at all. */
export const useAudiences = (enabled = true) =>
  useQuery({ queryKey: ["audiences"], enabled, queryFn: () => bodyOf(api.GET("/v1/validator/audiences")) });

/** One audience with some of its personas. */
export const useAudience = (audience_id: string) =>
  useQuery({
    queryKey: ["audience", audience_id],
    enabled: audience_id !== "",
    queryFn: () => bodyOf(api.GET("/v1/validator/audiences/{audience_id}", { params: { path: { audience_id } } })),
  });
