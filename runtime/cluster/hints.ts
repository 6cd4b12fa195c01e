import type { InstanceId } from '../../schemas/ids.js'
import type { HintListeners, HintOptions } from './hint-batch.js'
import { HintReceiver } from './hint-receiver.js'
import { HintSender } from './hint-sender.js'

export interface Hints {
  /** Call once. Listeners get "all" at first, since they may remember rows that changed before they could hear of it. */
  follow(listeners: HintListeners): void
  /** Call after the commit. */
  events(instances: Iterable<InstanceId>): void
  instances(instances: Iterable<InstanceId>): void
  webhooks(webhooks: Iterable<string>): void
  table(): void
  administrators(): void
  /** True while hints of others arrive, as far as is known. */
  readonly isHearing: boolean
  close(): void
}

export function createHints(options: HintOptions): Hints {
  const { redis, connections, incarnation, isAlone, observe, sendEveryMs = 10, checkEveryMs = 1_000 } = options
  const log = options.logger.child({ part: 'hints' })
  // One slot of a Redis Cluster, so that it can become a channel of that slot's shard alone (SPUBLISH).
  const channel = `{${options.keyPrefix ?? 'posthorn'}}:hints`
  const sender = new HintSender({ redis, channel, incarnation, sendEveryMs, isAlone, observe, log })
  const receiver = new HintReceiver({ connections, channel, incarnation, observe, log })
  const checks = setInterval(() => {
    sender.resume()
    if (!receiver.isHearing) receiver.notifyAll()
    sender.releaseHeldEvents()
    receiver.check()
  }, checkEveryMs)
  checks.unref()

  return {
    follow: (listeners) => receiver.follow(listeners),
    events: (instances) => sender.gatherEvents(instances),
    instances: (instances) => sender.gather((batch) => batch.instances.add(instances)),
    webhooks: (webhooks) => sender.gather((batch) => batch.webhooks.add(webhooks)),
    table: () =>
      sender.gather((batch) => {
        batch.table = true
      }),
    administrators: () =>
      sender.gather((batch) => {
        batch.administrators = true
      }),
    get isHearing() {
      return receiver.isHearing
    },
    close() {
      sender.close()
      clearInterval(checks)
      receiver.close()
    },
  }
}
