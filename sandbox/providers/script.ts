/** Scripts of a test: answers and faults for the next calls, and the log of all calls. */

export type ProviderName = 'openai' | 'anthropic' | 'gemini' | 'deepseek' | 'custom'
export type Operation = 'chat' | 'embeddings' | 'transcription'

/** One request that reached a provider. Nothing of it is lost or shortened. */
export interface ProviderCall {
  readonly number: number
  readonly provider: ProviderName
  readonly operation: Operation
  readonly model: string
  readonly key: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed JSON; of a transcription its fields, with `file: {name, type, bytes}`. */
  readonly body: Readonly<Record<string, unknown>>
  readonly startedMs: number
  /** Null while the answer is under way, or if none came. */
  status: number | null
  /** The client closed the connection before the answer was complete. */
  isAbandoned: boolean
}

export interface FakeToolCall {
  readonly name: string
  /** Text is sent as it is, so that it may be broken JSON. */
  readonly arguments: object | string
  /** Of chat completions: `''` or an id of another call as some servers give them; null gives none. Default: one of its own. */
  readonly id?: string | null
}

export interface FakeAnswer {
  readonly text?: string
  /** Hidden thoughts. Models that always think have some without it. */
  readonly reasoning?: string
  readonly calls?: readonly FakeToolCall[]
  /** Default: `stop`, or `calls` if there are some. */
  readonly finish?: 'stop' | 'length' | 'blocked'
  /** Null: the server does not count. */
  readonly usage?: { readonly input: number; readonly output: number } | null
  readonly transcript?: string
}

export type Fault =
  /** `request`: no byte comes; `headers`: the headers and some of the body come, and no end. */
  | { readonly kind: 'hang'; readonly after: 'request' | 'headers' }
  /** The connection ends in the middle of the body, or before the headers. */
  | { readonly kind: 'cut'; readonly after: 'request' | 'headers' }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** An answer of the right form, but without choices, content or candidates. */
  | { readonly kind: 'no-choices' }
  /** A 200 with a body that goes on for so many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly location: string }

export interface Step {
  readonly answer?: FakeAnswer
  readonly fault?: Fault
  /** Default 0. */
  readonly delayMs?: number
  /** Number of calls that it answers. Default 1; `Number.POSITIVE_INFINITY` for ever. */
  readonly times?: number
  /** Kind of the calls that it answers. Default: all but those for vectors, which knowledge makes by itself, at any time. */
  readonly operation?: Operation
  /** Calls of that kind that it answers. Default: all. */
  readonly when?: (call: ProviderCall) => boolean
}

const CALLS_KEPT = 10_000
const CALLED_MS = 60_000

export class Script {
  readonly calls: ProviderCall[] = []
  readonly #steps: { step: Step; left: number }[] = []
  readonly #waiting = new Set<() => void>()
  #count = 0

  /** Appends a step. Steps are used in order, each for the calls that it wants. */
  next(step: Step): void {
    this.#steps.push({ step, left: step.times ?? 1 })
  }

  /** Drops all steps that are left, and the log. */
  clear(): void {
    this.#steps.length = 0
    this.calls.length = 0
  }

  /** Resolves when that many calls besides those for vectors have come since the last `clear`. @throws Error if they do not come */
  async called(count: number): Promise<readonly ProviderCall[]> {
    const come = (): number => this.calls.filter(({ operation }) => operation !== 'embeddings').length
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#wake()
    }, CALLED_MS)
    try {
      while (come() < count) {
        if (isLate) throw new Error(`${come()} of ${count} calls came within ${CALLED_MS / 1_000} s.`)
        await new Promise<void>((woken) => this.#waiting.add(woken))
      }
      return this.calls
    } finally {
      clearTimeout(timer)
    }
  }

  #wake(): void {
    for (const woken of this.#waiting) woken()
    this.#waiting.clear()
  }

  /** Notes a call and returns the step for it, if there is one. */
  take(facts: Omit<ProviderCall, 'number' | 'startedMs' | 'status' | 'isAbandoned'>): [ProviderCall, Step | undefined] {
    const call = { ...facts, number: ++this.#count, startedMs: Date.now(), status: null, isAbandoned: false }
    this.calls.push(call)
    if (this.calls.length > CALLS_KEPT) this.calls.shift()
    this.#wake()
    const index = this.#steps.findIndex(({ step }) => isFor(step, call))
    const found = this.#steps[index]
    if (found === undefined) return [call, undefined]
    found.left -= 1
    if (found.left <= 0) this.#steps.splice(index, 1)
    return [call, found.step]
  }
}

function isFor({ operation, when = () => true }: Step, call: ProviderCall): boolean {
  const isKind = operation === undefined ? call.operation !== 'embeddings' : call.operation === operation
  return isKind && when(call)
}
