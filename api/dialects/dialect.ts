/** The API of another gateway as data: routes that call operations of ours, and the operations that are not there. */
import type { IncomingHttpHeaders } from 'node:http'
import { type ErrorCode, GatewayError } from '../../schemas/errors.js'
import type { DialectFacts, DialectName } from '../../schemas/ports/dialects.js'
import type { InstanceRow } from '../../schemas/ports/instances.js'
import type { JsonSchema } from '../../schemas/schema-registry.js'
import type { ReceivedFile } from '../input/base64-file.js'
import type { Context, Route } from '../route.js'

export type Json = Record<string, unknown>

/** Key that a route needs: the administrator's alone, or also that of the instance in the path. `any`: no instance is in the path. */
export type Opens = 'admin' | 'instance' | 'any' | 'none'

/** Fields of a call of one of our operations. */
export interface Asked {
  readonly body?: Json
  readonly query?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
}

export interface DialectCall {
  /** The instance in the path, or of the key. Null for an administrator who names none. */
  readonly instance: InstanceRow | null
  /** Name of the instance in the dialect. */
  readonly name: string
  readonly facts: DialectFacts | null
  /** True if the administrator calls. */
  readonly isAdmin: boolean
  readonly body: Json
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly files: ReadonlyMap<string, ReceivedFile>
  readonly context: Context
  /**
   * Carries out an operation of ours in the caller's name, for the instance of the call or for `instance`.
   * @throws GatewayError as the operation
   */
  ask<T = Json>(route: Route, asked?: Asked, instance?: InstanceRow): Promise<T>
}

export interface DialectRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the address of the dialect, without the name of the instance, which is the last segment where `opens` is `instance`. */
  readonly path: string
  readonly name: string
  readonly area: string
  readonly summary: string
  readonly opens: Opens
  /** Status of a good answer. */
  readonly status: 200 | 201
  readonly body?: JsonSchema
  readonly query?: JsonSchema
  /** Fields of the body that may hold a file as base64. The first one takes the file of a form (`multipart/form-data`). */
  readonly fileFields?: readonly string[]
  /** Our operations that it calls. The call holds the turn that the first one needs. */
  readonly operations: readonly Route[]
  /** Differences from the original, for the page of the dialect. */
  readonly differs?: string
  handle(call: DialectCall): Promise<unknown>
}

/** Operations of the original that are not there. */
export interface DialectGap {
  /** First segments of their paths, such as `/typebot`. */
  readonly path: string
  readonly summary: string
  /** Sentence that says what to use here, or that there is nothing. */
  readonly instead: string
}

export interface Dialect {
  readonly name: DialectName
  readonly title: string
  readonly version: string
  /** Path below which it is served. */
  readonly base: string
  readonly routes: readonly DialectRoute[]
  /** Fields that take the name and the media type of a file that comes in a form. */
  readonly formFields: { readonly fileNameField: string; readonly mimetypeField: string }
  readonly gaps: readonly DialectGap[]
  /** Reads the key of a request. */
  readKey(headers: IncomingHttpHeaders): string
  /** Returns the answer to a failed call, in the dialect's form. */
  failure(error: GatewayError): { readonly status: number; readonly body: unknown }
  unknownPath(method: string, path: string): DialectRefusal
  unknownInstance(name: string): DialectRefusal
}

/** An error with the status and the message that the dialect has for it. */
export class DialectRefusal extends GatewayError {
  readonly answer: { readonly status: number; readonly message: unknown }

  constructor(code: ErrorCode, status: number, message: unknown, cause?: unknown) {
    super(code, cause === undefined ? {} : { cause })
    this.answer = { status, message }
  }
}
