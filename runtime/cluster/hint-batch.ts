import type { InstanceId } from '../../schemas/ids.js'
import type { HintScope } from './hints.js'

/** A hint as it travels, in JSON. */
export interface HintMessage {
  readonly from: string
  readonly events?: readonly InstanceId[] | 'all'
  readonly instances?: readonly InstanceId[] | 'all'
  readonly webhooks?: readonly string[] | 'all'
  readonly table?: true
  readonly administrators?: true
}

/** Maximum number of names in a message. Above it, names cost more than a look at everything. */
const NAMES_MAX = 1_000

/** Everything that the next message has to say. */
export class HintBatch {
  readonly events = new Names<InstanceId>()
  readonly instances = new Names<InstanceId>()
  readonly webhooks = new Names<string>()
  table = false
  administrators = false

  get isEmpty(): boolean {
    return !this.table && !this.administrators && this.events.isEmpty && this.instances.isEmpty && this.webhooks.isEmpty
  }

  addAll(): void {
    this.events.addAll()
    this.instances.addAll()
    this.webhooks.addAll()
    this.table = true
    this.administrators = true
  }

  toText(from: string): string {
    const message: HintMessage = {
      from,
      ...(this.events.isEmpty ? {} : { events: this.events.listed }),
      ...(this.instances.isEmpty ? {} : { instances: this.instances.listed }),
      ...(this.webhooks.isEmpty ? {} : { webhooks: this.webhooks.listed }),
      ...(this.table ? { table: true } : {}),
      ...(this.administrators ? { administrators: true } : {}),
    }
    return JSON.stringify(message)
  }
}

class Names<Name> {
  #areAll = false
  readonly #names = new Set<Name>()

  get isEmpty(): boolean {
    return !this.#areAll && this.#names.size === 0
  }

  get listed(): readonly Name[] | 'all' {
    return this.#areAll ? 'all' : [...this.#names]
  }

  add(names: Iterable<Name>): void {
    if (this.#areAll) return
    for (const name of names) this.#names.add(name)
    if (this.#names.size > NAMES_MAX) this.addAll()
  }

  addAll(): void {
    this.#areAll = true
    this.#names.clear()
  }
}

export function scopeOf<Name>(listed: readonly Name[] | 'all'): HintScope<Name> {
  return listed === 'all' ? 'all' : new Set(listed)
}
