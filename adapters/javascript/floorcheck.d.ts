/** Types of floorcheck.mjs. The payloads are those of wire protocol version 1. */

export type Policy = "guard" | "joint";
export type Decision = "certified" | "provisional" | "refuse";
export type Op = "decide" | "derive";

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

export interface ServeOptions {
  /** Name of the subject, for reports. */
  name: string;
  /** Default "". */
  version?: string;
  /** Default "guard". */
  policy?: Policy;
  decide?: (request: DecideRequest) => DecideAnswer | PromiseLike<DecideAnswer>;
  derive?: (request: DeriveRequest) => DeriveAnswer | PromiseLike<DeriveAnswer>;
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

/** Answers requests on stdin until `bye` or the end of input, then exits 0. Takes stdout away from all other code. */
export function serve(options: ServeOptions): Promise<void>;

/** Throw it for a request that cannot be answered; the message names the path of the field. */
export class BadRequest extends Error {
  constructor(message: string);
}

/** Throws a BadRequest when `request`, the `in` of a message, is malformed. */
export function validate(op: "decide", request: unknown): asserts request is DecideRequest;
export function validate(op: "derive", request: unknown): asserts request is DeriveRequest;
