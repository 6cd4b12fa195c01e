/** The request id and the place in a trace that go with a call through all nodes, so that its log lines can be found. */
import { randomHex } from '../lib/random.js'

// Bound: 1,048,576, a field of a request.

export interface CallContext {
  /** Told to the caller as `X-Request-Id`. */
  readonly requestId: string
  /** W3C Trace Context, version 00: `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * The trace in which a call is made: the caller's when the header is sound, else a new one. The span is a new one either way.
 * A later version of the header is read as far as version 00 goes; everything else counts as no header (W3C Trace Context, 3.2.2).
 */
export function traceparentFor(header: string | readonly string[] | undefined): string {
  const parts = typeof header === 'string' ? form.exec(header) : null
  const [, version, traceId, spanId, flags, rest] = parts ?? []
  const isSound =
    version !== undefined &&
    version !== 'ff' &&
    (version !== '00' || rest === undefined) &&
    !/^0+$/.test(traceId ?? '') &&
    !/^0+$/.test(spanId ?? '')
  return isSound ? `00-${traceId}-${newSpanId()}-${flags}` : `00-${randomHex(16)}-${newSpanId()}-00`
}

/** The trace that is named by a UUID, not sampled. */
export function makeTraceparent(uuid: string): string {
  return `00-${uuid.replaceAll('-', '')}-${newSpanId()}-00`
}

/** The same trace, one step further. */
export function nextSpan(traceparent: string): string {
  return `${traceparent.slice(0, 36)}${newSpanId()}${traceparent.slice(52)}`
}

/** Returns the id of the trace, for log lines. */
export function readTraceId(traceparent: string): string {
  return traceparent.slice(3, 35)
}

function newSpanId(): string {
  return randomHex(8)
}
