import type { Tool } from "../../../registry/contract.ts";
import { toolErrors } from "../listing.ts";
import {
  CreateAudienceInput,
  GetAudienceDetailsInput,
  GetResultInput,
  ListAudiencesInput,
  ListValidationsInput,
  RunValidationInput,
} from "./schema.ts";

const audience_id = "01980c5e-7a10-7c3d-9b41-2f6d8e0a1b2c";
const simulation_id = "01980c61-2b44-7f0e-8d17-5c9a3e7f4d60";

const listAudiences: Tool = {
  name: "list_audiences",
  title: "List audiences",
  access: "read",
  summary: "Lists the audiences of the firm.",
  returns: "The id, name and persona count of each audience.",
  input_schema: ListAudiencesInput,
  agent_description:
    "List the audiences that a validation can be run on: id, name and persona count. Takes no input. A metered read.",
  human_summary: "See which audiences exist.",
  use_when: ["Before run_validation, to find the id of an audience that fits."],
  do_not_use_when: ["You have the audience's id and want its personas: use get_audience_details."],
  examples: [
    {
      title: "All audiences; the members of the result, described",
      input: {},
      output_excerpt: { audiences: "id, name and persona count of each" },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["get_audience_details", "create_audience", "run_validation"],
};

const getAudienceDetails: Tool = {
  name: "get_audience_details",
  title: "Get an audience's details",
  access: "read",
  summary: "Shows one audience's profile and a preview of its personas.",
  returns:
    "Name, description, market, size and source, up to ten personas with age, role and short bio, and the parts of the description that they are chosen by.",
  input_schema: GetAudienceDetailsInput,
  agent_description:
    "Read one audience: its profile, and up to 10 of its personas. Pass audience_id from list_audiences. A metered read.",
  human_summary: "Look at who is in an audience.",
  use_when: ["You must judge whether an audience fits the hypothesis."],
  do_not_use_when: [
    "You want every persona: the preview holds ten at most.",
    "You do not know the id: call list_audiences first.",
  ],
  examples: [
    {
      title: "One audience, with an id from list_audiences; the members of the result, described",
      input: { audience_id },
      output_excerpt: { audience: "the profile", personas: "age, role and short bio of ten at most" },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["list_audiences", "run_validation"],
};

const listValidations: Tool = {
  name: "list_validations",
  title: "List validations",
  access: "read",
  summary: "Lists the firm's latest validations.",
  returns: "Status, verdict, decision size, date and dashboard link of each.",
  input_schema: ListValidationsInput,
  agent_description:
    "List recent validations with status, verdict, decision size, date and dashboard link; limit 1-50, 10 by default. A metered read.",
  human_summary: "See past and running validations.",
  use_when: ["You look for an earlier validation, or for its simulation_id."],
  do_not_use_when: ["You have the simulation_id and want the result: use get_result."],
  examples: [
    {
      title: "The five latest; the members of the result, described",
      input: { limit: 5 },
      output_excerpt: { validations: "status, verdict, decision size, date and dashboard link of each" },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["get_result", "run_validation"],
};

const getResult: Tool = {
  name: "get_result",
  title: "Get a validation's result",
  access: "read",
  summary: "Gives a validation's progress, or its verdict once it is completed.",
  returns:
    "The status and, when completed, GO, NO-GO or CONDITIONAL with its confidence, one sentence, the people not interviewed, the credits charged and a link.",
  input_schema: GetResultInput,
  agent_description:
    "Poll a validation by simulation_id about every 15 seconds. Completed gives GO, NO-GO or CONDITIONAL. If it is still running after 5 minutes, start a new run. A metered read.",
  human_summary: "See how a validation came out.",
  use_when: ["A validation was started and its verdict is wanted."],
  do_not_use_when: ["It was still running less than about 15 seconds ago: wait."],
  examples: [
    {
      title: "One validation, with an id from run_validation; the members of the result, described",
      input: { simulation_id },
      output_excerpt: {
        status: "running or completed",
        verdict: "GO, NO-GO or CONDITIONAL",
        confidence: "between 0 and 1",
      },
    },
  ],
  errors: toolErrors,
  latency: "Answers immediately; a validation itself takes seconds, or 2-3 minutes if a language model is interviewed.",
  related: ["run_validation", "list_validations"],
};

const createAudience: Tool = {
  name: "create_audience",
  title: "Create an audience",
  access: "write",
  summary: "Creates an audience from a description; its personas are generated at validation time.",
  returns: "The audience's id, and which parts of its description are understood and which are not used.",
  input_schema: CreateAudienceInput,
  agent_description:
    "Create an audience from a name, a description and optionally a market; size 5-50, 10 by default. Ages, sex, student, retired, employed, self-employed, parents, income and place are understood. Returns audience_id for run_validation, understood and not_used: show both. A metered write: check list_audiences first.",
  human_summary: "Describe whom a hypothesis should be tested on.",
  use_when: ["No audience in list_audiences fits the hypothesis."],
  do_not_use_when: [
    "A fitting audience exists: use its id again.",
    "The description would name real persons: describe a group.",
  ],
  examples: [
    {
      title: "Ten young families; the members of the result, described",
      input: {
        name: "Young families in towns",
        description: "Families with children under ten who rent a flat in a larger town.",
        market: "CZ",
        size: 10,
      },
      output_excerpt: {
        audience_id: "the id for run_validation",
        understood: "the criteria by which the personas are chosen",
        not_used: "the other words of the description",
      },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["list_audiences", "run_validation"],
};

const runValidation: Tool = {
  name: "run_validation",
  title: "Run a validation",
  access: "write",
  summary: "Starts a simulated test of a hypothesis. Credits per persona by size: S 25, M 50, L 100, XL 200.",
  returns: "The simulation_id and the maximum cost, immediately; the verdict comes from get_result.",
  input_schema: RunValidationInput,
  agent_description:
    "Start a simulated test of a hypothesis on an audience, in the audience's own market unless market is given; the result notes if the two differ. It costs 25 (S), 50 (M), 100 (L) or 200 (XL) credits per persona of the audience: that is reserved and the personas interviewed are charged, so get approval first. Returns simulation_id and maximum_credits immediately; poll get_result.",
  human_summary: "Test an idea on simulated customers before building it.",
  use_when: [
    "A hypothesis names who would buy what and why, and its cost was approved.",
    "Several ideas are to be ranked before money is spent on them.",
  ],
  do_not_use_when: [
    "A forecast of sales is wanted: a simulation ranks ideas only.",
    "A validation of the same hypothesis is still running: poll get_result.",
    "The credits were not approved.",
  ],
  examples: [
    {
      title: "One hypothesis on an audience, with an id from list_audiences; the members of the result, described",
      input: {
        hypothesis: "Young families would pay 10 euros a month for a bicycle insurance sold in an app.",
        audience_id,
        market: "CZ",
        decision_size: "M",
      },
      output_excerpt: { simulation_id: "the id for get_result", maximum_credits: "the maximum cost" },
    },
  ],
  errors: toolErrors,
  latency: "Answers immediately; the run takes seconds, or 2-3 minutes if a language model is interviewed.",
  related: ["get_result", "list_audiences", "create_audience"],
};

/** The tools, in the order of the specification. */
export const tools: Tool[] = [
  listAudiences,
  getAudienceDetails,
  listValidations,
  getResult,
  createAudience,
  runValidation,
];
