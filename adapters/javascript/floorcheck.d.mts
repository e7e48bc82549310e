/** Types of floorcheck.mjs. The payloads are those of wire protocol version 1. */

export type Policy = "guard" | "joint";
export type Decision = "certified" | "provisional" | "refuse";
export type Op = "decide" | "derive" | "certify" | "compact" | "reduce" | "recall";

/** The four conditions, all required. */
export interface Flags {
  source_recoverable: boolean;
  consumer_strict: boolean;
  chaining_risk: boolean;
  side_effect_cost_exceeds_refusal: boolean;
}

export interface Contract {
  required_classes: string[];
  certified_classes: string[];
  /** 0 to 2^31 - 1 */
  generation: number;
  ancestry_certified: boolean;
}

/** Travels along; nothing in it may matter. */
export interface Riders {
  source_tokens?: unknown;
  summary_tokens?: unknown;
  target_permille?: unknown;
  occupancy_permille?: unknown;
  fluency_permille?: unknown;
  quota_facts?: unknown;
  [other: string]: unknown;
}

export interface DecideRequest extends Flags {
  contract: Contract;
  riders?: Riders;
}

export type DecideAnswer =
  | { decision: "certified" | "provisional" }
  | { decision: "refuse"; missing_classes: string[]; generation: number; ancestry_certified: boolean };

/** `retained` of `total`, two integers; 0 of 0 is full fidelity. */
export interface Fidelity {
  class: string;
  retained: number;
  total: number;
}

export interface DeriveEvent extends Flags {
  id: string;
  /** Originals or earlier events, at least one. */
  inputs: string[];
  required_classes: string[];
  certificate: Fidelity[];
  /** Least fidelity per class, 0 to 1000; 1000 for a required class that is not named. */
  floors_permille?: Record<string, number>;
}

export interface DeriveRequest {
  originals: string[];
  /** Oldest first. */
  events: DeriveEvent[];
}

export type DerivedEvent =
  | {
      id: string;
      decision: "certified" | "provisional";
      generation: number;
      ancestry_certified: boolean;
      effective: Fidelity[];
    }
  | { id: string; decision: "refuse"; missing_classes: string[]; ancestry_certified: boolean };

export interface DeriveAnswer {
  events: DerivedEvent[];
}

/** One load-bearing thing. `forms` are texts that keep it, `inverted_forms` texts that say the opposite. */
export interface Element {
  id: string;
  class: string;
  forms: string[];
  inverted_forms?: string[];
  /** Default "folded": without regard to capitals. */
  match?: "folded" | "exact";
  /** Of a summary span's element: gone since an earlier generation. */
  lost?: boolean;
}

export interface Lineage {
  /** 0 to 2^31 - 1 */
  generation: number;
  ancestry_certified: boolean;
  decision: "certified" | "provisional";
  effective: Fidelity[];
}

/** A stretch of context that is kept or evicted as one. */
export interface Span {
  id: string;
  kind: "message" | "call" | "result" | "summary" | "pin";
  role: string;
  tokens: number;
  text: string;
  /** Absent: unknown. Empty: known to hold none. */
  elements?: Element[];
  /** Of a span that stands for originals. */
  lineage?: Lineage;
}

export type Status = "ok" | "error" | "refused" | "partial" | "opaque";

export interface CertifyRequest {
  source: Span[];
  /** What is delivered: the text and each of the pins. Absent status: "ok". */
  output: { text: string; pins?: string[]; status?: Status };
  required_classes: string[];
  floors_permille?: Record<string, number>;
  /** Elements known to be absent from the source. */
  decoys?: Element[];
}

export interface CertifyAnswer {
  certified_classes: string[];
  /** One entry per required class. */
  fidelity: Fidelity[];
  /** Ids among the elements of required classes, as in `inverted`. */
  lost: string[];
  inverted: string[];
  /** Ids of decoys that are retained; left out by who does not look for them. */
  fabricated?: string[];
}

/** A proposed summary. */
export interface Summary {
  id: string;
  /** Ids of the spans that it may replace. */
  of: string[];
  text: string;
  tokens: number;
  status?: Status;
}

export interface CompactRequest extends Flags {
  spans: Span[];
  required_classes: string[];
  known_classes: string[];
  floors_permille?: Record<string, number>;
  budget_tokens: number;
  summaries: Summary[];
  riders?: Riders;
}

export interface CompactResult {
  decision: "certified" | "provisional";
  /** When provisional. */
  basis?: "recoverable" | "harmless";
  kept: string[];
  evicted: { span: string; summary: string; fidelity: Fidelity[] }[];
  output: (
    | { kind: "span"; span: string; text: string; lineage?: Lineage }
    | { kind: "summary"; summary: string; text: string; provisional: boolean; lineage: Lineage; lost: string[] }
  )[];
  contract: Contract;
}

export interface CompactRefusal {
  decision: "refuse";
  missing_classes: string[];
  over_budget_tokens: number;
  /** The ways on, at least one: raise_budget, split_task, retrieve, checkpoint, human. */
  escalations: string[];
  unknown_spans?: string[];
  poisoned_spans?: string[];
  unclean_summaries?: string[];
}

export type CompactAnswer = CompactResult | CompactRefusal;

export type Role = "system" | "user" | "assistant" | "tool";

/** A call of a tool, by an assistant. */
export interface Call {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/** A message of the shape "plain", as it is on the wire. */
export interface Message {
  role: Role;
  text: string;
  calls?: Call[];
  /** Of a tool's message: the call that it is the result of. */
  call_id?: string;
}

export interface ReduceRequest {
  messages: Message[];
  /** 0 or more, counted as the subject counts. */
  target_tokens: number;
}

export interface RecallRequest {
  query: string;
}

/** The shape "openai": chat completions. */
export interface OpenAIMessage {
  role: Role | "developer";
  content?: string | { type: string; text?: string }[] | null;
  /** `arguments` is JSON text. */
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[] | null;
  tool_call_id?: string;
}

export type AnthropicBlock =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_result"; tool_use_id?: string; content?: string | { type: string; text?: string }[] };

/** The shape "anthropic". A system message that is not among the first stands in `messages`, with its role. */
export interface AnthropicConversation {
  /** "" without one; blocks where there are several. */
  system?: string | { type: "text"; text: string }[];
  messages: { role: "user" | "assistant" | "system"; content: string | AnthropicBlock[] }[];
}

/** The shape "langchain". LangChain's own message objects are read as well. */
export interface LangChainMessage {
  type: "system" | "human" | "ai" | "tool";
  content: string | { type: string; text?: string }[];
  tool_calls?: Call[];
  tool_call_id?: string;
}

/** What `reduce` is given and gives, by shape. */
export interface Shapes {
  plain: Message[];
  openai: OpenAIMessage[];
  anthropic: AnthropicConversation;
  langchain: LangChainMessage[];
}

/** What `reduced` gives; nothing to look into. */
export interface Reduced<Messages> {
  readonly __floorcheckReduced: Messages;
}

export interface ServeOptions<Shape extends keyof Shapes = "plain"> {
  /** Name of the subject, for reports. */
  name: string;
  /** Default "". */
  version?: string;
  /** Default "guard". */
  policy?: Policy;
  decide?: (request: DecideRequest) => DecideAnswer | PromiseLike<DecideAnswer>;
  derive?: (request: DeriveRequest) => DeriveAnswer | PromiseLike<DeriveAnswer>;
  certify?: (request: CertifyRequest) => CertifyAnswer | PromiseLike<CertifyAnswer>;
  compact?: (request: CompactRequest) => CompactAnswer | PromiseLike<CompactAnswer>;
  /**
   * Gives messages in the shape they came in, `reduced(…)`, or a Refused, which may be thrown as well.
   * Whatever else is thrown is an internal error, never a refusal.
   */
  reduce?: (messages: Shapes[Shape], targetTokens: number) => ReduceResult<Shape> | PromiseLike<ReduceResult<Shape>>;
  /** Gives back what an output marked provisional no longer says, or throws Unavailable. */
  recall?: (query: string) => string | PromiseLike<string>;
  /** Default "plain". */
  shape?: Shape;
  /** How long a conversation must be before `reduce` touches it. */
  triggerMessages?: number;
  /** The same in tokens, as the subject counts them. */
  triggerTokens?: number;
  /** Whether `reduce` asks a model for its summaries. */
  model?: boolean;
  /** Largest batch the suite may send. Default 100. */
  maxBatch?: number;
  /**
   * true (default): requests on the protocol's bad_request list never reach your functions.
   * false: nothing is checked. A function takes the place of `validate`; numbers are
   * then still judged as they are written (1.0 is no integer).
   */
  validate?: boolean | ((op: Op, request: unknown) => void);
  /** Default false. */
  stateful?: boolean;
}

export type ReduceResult<Shape extends keyof Shapes> = Shapes[Shape] | Reduced<Shapes[Shape]> | Refused;

/** Answers requests on stdin until `bye` or the end of input, then exits 0. Takes stdout away from all other code. */
export function serve<Shape extends keyof Shapes = "plain">(options: ServeOptions<Shape>): Promise<void>;

/** Messages with what they say of themselves. */
export function reduced<Messages>(
  messages: Messages,
  says?: { mark?: "none" | "provisional" | "certified"; /** how many reductions deep, from 1 */ generation?: number },
): Reduced<Messages>;

/** Throw it from `reduce`, or return it: nothing was reduced. */
export class Refused extends Error {
  constructor(reason: string);
}

/** Throw it from `recall`: what was asked for cannot be got back. */
export class Unavailable extends Error {
  constructor(message: string);
}

/** Throw it for a request that cannot be answered; the message names the path of the field. */
export class BadRequest extends Error {
  constructor(message: string);
}

/** Throws a BadRequest when `request`, the `in` of a message, is malformed. */
export function validate(op: "decide", request: unknown): asserts request is DecideRequest;
export function validate(op: "derive", request: unknown): asserts request is DeriveRequest;
export function validate(op: "certify", request: unknown): asserts request is CertifyRequest;
export function validate(op: "compact", request: unknown): asserts request is CompactRequest;
export function validate(op: "reduce", request: unknown): asserts request is ReduceRequest;
export function validate(op: "recall", request: unknown): asserts request is RecallRequest;
