/** Webhooks of the API inbox: each is sent once, in no promised order, and a failure marks its message as failed. */
import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { isIP } from 'node:net'
import type { FaultPlan } from './faults.js'
import type { Inbox, Message } from './model.js'
import type { Store, StoreEvent } from './store.js'

export interface SentWebhook {
  readonly event: string
  readonly messageId: number | undefined
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Status of the answer; undefined: no answer within the time, or no connection. */
  status: number | undefined
  error: string | undefined
  tookMs: number
}

interface Job {
  readonly url: string
  readonly body: string
  readonly event: string
  readonly secret: string
  readonly message: Message | undefined
}

export class Webhooks {
  readonly sent: SentWebhook[] = []
  readonly #store: Store
  readonly #faults: FaultPlan
  readonly #timeoutMs: number
  readonly #held: Job[] = []
  readonly #waiting: Job[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #underWay = new Set<Job>()
  #isAway = false
  #life = new AbortController()

  constructor(store: Store, faults: FaultPlan, timeoutMs: number) {
    this.#store = store
    this.#faults = faults
    this.#timeoutMs = timeoutMs
  }

  /** Queues the webhook of an event. `payload` is its body. */
  add(happened: StoreEvent, payload: object): void {
    const subject = 'message' in happened ? happened.message : happened.conversation
    const inbox = this.#store.inboxes.get(subject.inboxId)
    const isActivity = 'message' in happened && happened.message.type === 'activity'
    if (inbox === undefined || inbox.channelType !== 'Channel::Api' || inbox.webhookUrl === '' || isActivity) return
    const message = 'message' in happened ? happened.message : undefined
    if (this.#faults.takeWebhook('lost')) return
    this.#accept({
      url: inbox.webhookUrl,
      body: JSON.stringify(payload),
      event: happened.event,
      secret: findSecret(inbox, this.#store),
      message,
    })
  }

  /** Sends the webhooks that are collected for the reverse order. */
  release(): void {
    void this.#sendReversed(this.#held.splice(0))
  }

  /** Resolves when every webhook that was sent has its answer. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /**
   * Ends deliveries under way without looking at their answers; those that wait are kept. `loses`: as after kill -9, those under way are
   * gone; otherwise the platform sends them again when it is back, as after an orderly stop.
   */
  leave({ loses }: { readonly loses: boolean }): void {
    this.#isAway = true
    if (!loses) this.#waiting.push(...this.#underWay)
    this.#underWay.clear()
    this.#life.abort()
    this.#life = new AbortController()
  }

  comeBack(): void {
    this.#isAway = false
    for (const job of this.#waiting.splice(0)) void this.#start(job)
  }

  #accept(job: Job): void {
    if (this.#isAway) {
      this.#waiting.push(job)
      return
    }
    if (this.#faults.takeWebhook('reversed')) {
      this.#held.push(job)
      if (this.#faults.webhooksLeft('reversed') === 0) void this.#sendReversed(this.#held.splice(0))
      return
    }
    const isDoubled = this.#faults.takeWebhook('doubled')
    void this.#start(job)
    if (isDoubled) void this.#start(job)
  }

  async #sendReversed(jobs: readonly Job[]): Promise<void> {
    for (const job of [...jobs].reverse()) await this.#start(job)
  }

  #start(job: Job): Promise<void> {
    this.#underWay.add(job)
    const running = this.#send(job, this.#life.signal).finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  async #send(job: Job, life: AbortSignal): Promise<void> {
    const begunAt = Date.now()
    const headers = createHeaders(job)
    const record: SentWebhook = {
      event: job.event,
      messageId: job.message?.id,
      body: job.body,
      headers,
      status: undefined,
      error: undefined,
      tookMs: 0,
    }
    this.sent.push(record)
    try {
      this.#checkAddress(job.url)
      record.status = await post(job.url, job.body, headers, this.#timeoutMs, life)
      if (record.status >= 300) record.error = `${record.status} ${record.status >= 500 ? 'Server Error' : 'Refused'}`
    } catch (error) {
      record.error = (error as Error).message
    }
    record.tookMs = Date.now() - begunAt
    if (life.aborted) return
    this.#underWay.delete(job)
    const isAboutMessage = job.event === 'message_created' || job.event === 'message_updated'
    if (record.error !== undefined && isAboutMessage && job.message !== undefined)
      this.#store.setMessageStatus(job.message, 'failed', record.error)
  }

  #checkAddress(url: string): void {
    const { hostname } = new URL(url)
    const isPrivate =
      hostname === 'localhost' ||
      (isIP(hostname) !== 0 && /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname))
    if (isPrivate && this.#store.options.version.refusesPrivateWebhooks)
      throw new Error(`${hostname} has no public ip addresses`)
  }
}

function findSecret(inbox: Inbox, store: Store): string {
  return store.options.version.signsInboxWebhooks ? inbox.secret : ''
}

function createHeaders({ body, secret }: Job): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (secret === '') return headers
  const timestamp = String(Math.floor(Date.now() / 1000))
  headers['x-chatwoot-delivery'] = randomUUID()
  headers['x-chatwoot-timestamp'] = timestamp
  headers['x-chatwoot-signature'] =
    `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
  return headers
}

/** Posts once. @throws Error without an answer in time */
function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
  life: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    // Not `AbortSignal.any` over a time-out: nothing would hold it, and once it is collected its time never comes.
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), timeoutMs)
    const signal = AbortSignal.any([life, timeout.signal])
    const call = request(url, { method: 'POST', headers, signal }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    call.on('error', (error) =>
      reject(life.aborted || !signal.aborted ? error : new Error('Timed out reading data from server')),
    )
    call.on('close', () => clearTimeout(timer))
    call.end(body)
  })
}
