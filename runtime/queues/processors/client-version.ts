import type { UsableRevisions } from '../../client-version/known-versions.js'
import type { ClientVersionTable } from '../../store/client-versions.js'
import type { Processor } from '../processor.js'

export const CLIENT_VERSION = 'client-version'

const DAY_MS = 24 * 60 * 60_000
const RETRY_MS = 60 * 60_000

export interface ClientVersionJobOptions {
  /** Returns the revision that the source names. */
  readonly read: () => Promise<number>
  readonly table: Pick<ClientVersionTable, 'offer'>
  readonly usable: () => UsableRevisions
  /** Says why a number of the source is not taken. */
  readonly explainRefusal: (revision: number, usable: UsableRevisions) => string | undefined
  readonly onRead: () => Promise<void>
}

/** Asks the network's own source for the version of its web client, and offers it to the logins of all nodes. */
export function clientVersionJob({ read, table, usable, explainRefusal, onRead }: ClientVersionJobOptions): Processor {
  return {
    name: CLIENT_VERSION,
    everyMs: DAY_MS,
    retryMs: RETRY_MS,
    async run() {
      const revision = await read()
      const refusal = explainRefusal(revision, usable())
      if (refusal !== undefined) throw new Error(`The version source is not believed: ${refusal}`)
      await table.offer(revision)
      await onRead()
      return { result: { revision } }
    },
  }
}
