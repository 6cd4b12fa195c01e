/** Rules by which the network misbehaves: standing ones, asked at each point where they matter. */
import type { Account, Device } from './network/model.js'

/** Of the media host and of phones that are asked for media again; they hold for everyone. */
type MediaFault = 'media-upload' | 'media-download' | 'media-damage' | 'media-retry'

/** `phone` and `device` narrow a rule; without them it holds for everyone. `times` bounds how often it applies. */
export interface FaultRule {
  kind:
    | 'login-failure'
    | 'swallow-acks'
    | 'ack-error'
    | 'rate-limit'
    | 'strangers-refused'
    | 'duplicate'
    | 'reorder'
    | 'delay'
    | 'silent'
    | MediaFault
    | 'app-state-conflict'
    | 'join-refused'
    | 'invitation-refused'
    | 'look-up-refused'
    | 'privacy-refused'
    | 'mex-refused'
    | 'presence-withheld'
    | 'lose-acks'
    | 'refresh-lid'
    | 'token-required'
  phone?: string | undefined
  device?: number | undefined
  /** `ack-error`, `strangers-refused`: only messages to this number. */
  recipient?: string | undefined
  /** `login-failure`: the reason (401, 403, 405, 409, 415, 503); `ack-error`, `rate-limit`, `strangers-refused`: the error of the ack; `media-…`: the status. */
  code?: number | undefined
  /** `rate-limit`: messages a second that a device may send. */
  perSecond?: number | undefined
  /** `delay`: how long everything to the device waits; `media-upload`, `media-download`: how long the host does. */
  delayMs?: number | undefined
  times?: number | undefined
  /** `ack-error`: how many messages it lets through first. */
  skips?: number | undefined
  /** `login-failure`: further attributes of the refusal. */
  attributes?: Readonly<Record<string, string>> | undefined
  /** `privacy-refused`: the category; `mex-refused`: the number of the query. */
  name?: string | undefined
}

export interface StandingFault extends FaultRule {
  id: number
  applied: number
}

export class Faults {
  /** False: a second login of a device leaves the first one alive, so that its late frames can be counted. */
  kickOldSessions = true
  readonly #rules: StandingFault[] = []
  readonly #sendTimesMs = new Map<Device, number[]>()
  #next = 1

  add(rule: FaultRule): StandingFault {
    const fault = { ...rule, id: this.#next++, applied: 0 }
    this.#rules.push(fault)
    return fault
  }

  remove(id: number): boolean {
    const index = this.#rules.findIndex((rule) => rule.id === id)
    if (index >= 0) this.#rules.splice(index, 1)
    return index >= 0
  }

  clear(): void {
    this.#rules.length = 0
    this.kickOldSessions = true
  }

  list(): readonly StandingFault[] {
    return this.#rules
  }

  /** The reason with which a login is refused, and what stands beside it, if it is. */
  loginFailure(phoneNumber: string, deviceId: number): { reason: number; attributes: object } | undefined {
    const rule = this.#find('login-failure', phoneNumber, deviceId)
    if (!rule) return undefined
    this.#use(rule)
    return { reason: rule.code ?? 401, attributes: rule.attributes ?? {} }
  }

  swallowsAck(sender: Device): boolean {
    const rule = this.#find('swallow-acks', sender.account.phoneNumber, sender.id)
    return rule !== undefined && this.#use(rule)
  }

  /** The error code with which a message is refused, if it is. */
  ackError(sender: Device, recipient: Account | undefined): number | undefined {
    const rule = this.#find('ack-error', sender.account.phoneNumber, sender.id, recipient?.phoneNumber)
    if (!rule) return this.#overRate(sender)
    if ((rule.skips ?? 0) > 0) {
      rule.skips = (rule.skips ?? 0) - 1
      return undefined
    }
    this.#use(rule)
    return rule.code ?? 479
  }

  /** The code with which a message to a person who never wrote is refused, if it is. */
  strangerRefusal(sender: Device, recipient: Account): number | undefined {
    const rule = this.#find('strangers-refused', sender.account.phoneNumber, sender.id, recipient.phoneNumber)
    if (!rule) return undefined
    this.#use(rule)
    return rule.code ?? 463
  }

  /** The code with which a change of app state is refused, if it is. */
  appStateRefusal(author: Device): number | undefined {
    const rule = this.#find('app-state-conflict', author.account.phoneNumber, author.id)
    if (!rule) return undefined
    this.#use(rule)
    return rule.code ?? 409
  }

  /** The code with which one who has an invitation may not look at it, or not join by it. */
  invitationRefusal(account: Account, what: 'join-refused' | 'invitation-refused'): number | undefined {
    const rule = this.#find(what, account.phoneNumber, 0)
    if (!rule) return undefined
    this.#use(rule)
    return rule.code ?? 419
  }

  /** The code with which a device may not ask which numbers have an account. */
  lookUpRefusal({ account, id }: Device): number | undefined {
    const rule = this.#find('look-up-refused', account.phoneNumber, id)
    if (!rule) return undefined
    this.#use(rule)
    return rule.code ?? 429
  }

  /** The code with which a change of a privacy setting is refused, if it is. */
  privacyRefusal({ account, id }: Device, changes: readonly { readonly name: string }[]): number | undefined {
    const rule = this.#find('privacy-refused', account.phoneNumber, id)
    if (!rule || !changes.some(({ name }) => rule.name === undefined || rule.name === name)) return undefined
    this.#use(rule)
    return rule.code ?? 403
  }

  /** The code of the error in the answer to a query, if it is refused. */
  mexRefusal({ account, id }: Device, query: string): number | undefined {
    const rule = this.#find('mex-refused', account.phoneNumber, id)
    if (!rule || (rule.name !== undefined && rule.name !== query)) return undefined
    this.#use(rule)
    return rule.code ?? 400
  }

  /** Tells whether a device hears nothing of the presence and typing of others. */
  withholdsPresence({ account, id }: Device): boolean {
    const rule = this.#find('presence-withheld', account.phoneNumber, id)
    return rule !== undefined && this.#use(rule)
  }

  /** Tells whether an acknowledgement of a device is lost on its way. */
  losesAck({ account, id }: Device): boolean {
    const rule = this.#find('lose-acks', account.phoneNumber, id)
    return rule !== undefined && this.#use(rule)
  }

  /** Tells whether a device must show a token with its messages to people who never wrote. */
  requiresToken({ account, id }: Device): boolean {
    const rule = this.#find('token-required', account.phoneNumber, id)
    return rule !== undefined && this.#use(rule)
  }

  /** Tells whether the answer to a message says that the receiver's LID is not the present one. */
  refreshesLid({ account, id }: Device, recipient: Account | undefined): boolean {
    const rule = this.#find('refresh-lid', account.phoneNumber, id, recipient?.phoneNumber)
    return rule !== undefined && this.#use(rule)
  }

  duplicates(recipient: Device): boolean {
    const rule = this.#find('duplicate', recipient.account.phoneNumber, recipient.id)
    return rule !== undefined && this.#use(rule)
  }

  reorders(recipient: Device): boolean {
    const rule = this.#find('reorder', recipient.account.phoneNumber, recipient.id)
    return rule !== undefined && this.#use(rule)
  }

  /** Standing effects on a new connection of a device. */
  connectionEffects(device: Device): { silent: boolean; delayMs: number } {
    const { phoneNumber } = device.account
    return {
      silent: this.#find('silent', phoneNumber, device.id) !== undefined,
      delayMs: this.#find('delay', phoneNumber, device.id)?.delayMs ?? 0,
    }
  }

  /** The rule that the media host, or a phone that is asked for media again, follows now, if there is one. */
  media(kind: MediaFault): StandingFault | undefined {
    const rule = this.#find(kind, '', 0)
    if (rule) this.#use(rule)
    return rule
  }

  #overRate(sender: Device): number | undefined {
    const rule = this.#find('rate-limit', sender.account.phoneNumber, sender.id)
    if (!rule) return undefined
    const nowMs = Date.now()
    const recent = (this.#sendTimesMs.get(sender) ?? []).filter((atMs) => atMs > nowMs - 1_000)
    const over = recent.length >= (rule.perSecond ?? 1)
    if (!over) recent.push(nowMs)
    this.#sendTimesMs.set(sender, recent)
    if (!over) return undefined
    this.#use(rule)
    return rule.code ?? 429
  }

  #find(kind: FaultRule['kind'], phone: string, device: number, recipient?: string): StandingFault | undefined {
    return this.#rules.find(
      (rule) =>
        rule.kind === kind &&
        (rule.phone === undefined || rule.phone === phone) &&
        (rule.device === undefined || rule.device === device) &&
        (rule.recipient === undefined || rule.recipient === recipient) &&
        (rule.times === undefined || rule.applied < rule.times),
    )
  }

  #use(rule: StandingFault): true {
    rule.applied++
    return true
  }
}
