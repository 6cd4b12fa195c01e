/** Faults of the platform and of what stands before it, in the order in which they are asked for. */
export type RequestFault =
  /** Answers an error of the platform: `before` doing the work, or after it. */
  | { readonly kind: 'error'; readonly when: 'before' | 'after'; readonly status?: number }
  /** Never answers. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  /** Ends the connection in the middle of the answer, after doing the work. */
  | { readonly kind: 'cut' }
  /** Page of a proxy whose platform is away. */
  | { readonly kind: 'html' }
  /** Page of a proxy with this status, or JSON in a form of its own. */
  | { readonly kind: 'page'; readonly status: number; readonly isJson?: boolean }
  /** Page of a proxy that takes no body of this size. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds?: number }
  | { readonly kind: 'slow'; readonly ms: number }

export interface RequestFaults {
  readonly fault: RequestFault
  /** Requests that it is for; all when left out. */
  readonly method?: string
  readonly path?: RegExp
  /** 1 when left out. */
  readonly times?: number
}

export type WebhookFault =
  /** Sends the next webhooks twice. */
  | { readonly kind: 'doubled'; readonly times?: number }
  /** Collects that many webhooks and sends them in the reverse order. */
  | { readonly kind: 'reversed'; readonly count: number }
  /** Sends the webhooks of the next calls before it answers them. */
  | { readonly kind: 'before-answer'; readonly times?: number }
  /** Loses the next webhooks, as a killed worker does. */
  | { readonly kind: 'lost'; readonly times?: number }

export class FaultPlan {
  readonly #requests: { given: RequestFaults; left: number }[] = []
  readonly #left = new Map<WebhookFault['kind'], number>()

  addRequests(given: RequestFaults): void {
    this.#requests.push({ given, left: given.times ?? 1 })
  }

  addWebhooks(fault: WebhookFault): void {
    this.#left.set(fault.kind, fault.kind === 'reversed' ? fault.count : (fault.times ?? 1))
  }

  /** Returns the fault of this request, if there is one, and counts it. */
  takeRequest(method: string, path: string): RequestFault | undefined {
    const index = this.#requests.findIndex(
      ({ given }) => (given.method ?? method) === method && (given.path?.test(path) ?? true),
    )
    const entry = this.#requests[index]
    if (entry === undefined) return undefined
    entry.left -= 1
    if (entry.left <= 0) this.#requests.splice(index, 1)
    return entry.given.fault
  }

  /** Returns whether this fault is asked for, and counts it. */
  takeWebhook(kind: WebhookFault['kind']): boolean {
    const left = this.#left.get(kind) ?? 0
    if (left > 0) this.#left.set(kind, left - 1)
    return left > 0
  }

  webhooksLeft(kind: WebhookFault['kind']): number {
    return this.#left.get(kind) ?? 0
  }

  clear(): void {
    this.#requests.length = 0
    this.#left.clear()
  }
}
