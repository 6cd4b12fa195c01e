/** The calls of the demo: of the gateway, shown as the line one would type, and of the simulated network, which are not. */
import { setTimeout as pause } from 'node:timers/promises'
import { curlLine, type Transcript } from './transcript.js'

export type Json = Record<string, unknown>

export interface Calls {
  readonly gateway: string
  /** Asks the gateway and shows the line. */
  call(method: string, route: string, headers: Readonly<Record<string, string>>, body?: Json): Promise<Json>
  /** Asks the gateway. */
  ask(method: string, route: string, headers: Readonly<Record<string, string>>, body?: Json): Promise<Json>
  /** Tells the network what its phones do, or asks what it saw: `sandbox/README.md`. */
  tellNetwork<T = Json>(method: string, route: string, body?: Json): Promise<T>
}

/** Both are URLs. Each call throws when it is answered with an error. */
export function createCalls(gateway: string, network: string, tell: Transcript): Calls {
  return {
    gateway,
    call(method, route, headers, body) {
      tell.typed(curlLine(method, `${gateway}${route}`, headers, body))
      return request(method, `${gateway}${route}`, headers, body)
    },
    ask: (method, route, headers, body) => request(method, `${gateway}${route}`, headers, body),
    tellNetwork: (method, route, body) => request(method, `${network}${route}`, {}, body),
  }
}

async function request<T = Json>(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Json | undefined,
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer as T
}

/** Asks again until the answer is good. @throws Error that says what there was not */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  isGood: (answer: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    const answer = await ask()
    if (isGood(answer)) return answer
    await pause(100)
  }
  throw new Error(`There was no ${what} within ${withinMs / 1000} s.`)
}
