import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface UpdateDelaysFields {
  readonly delayMinMs: number
  readonly delayMaxMs: number
  /** The number is in use since then, Unix milliseconds; null: since the pairing. Absent: as it was. */
  readonly inUseSinceMs?: number | null
}

interface UpdateDelaysReply {
  readonly delayMinMs: number
  readonly delayMaxMs: number
}

/** Changes the pause between two asynchronous sends, and the age of the number. */
export const updateDelays = operation('updateDelays', {
  repeat: true,
  example: { delayMinMs: 1_000, delayMaxMs: 3_000 } as UpdateDelaysReply,
  async run(
    { journal, pacer }: InstanceContext,
    { delayMinMs, delayMaxMs, inUseSinceMs }: UpdateDelaysFields,
  ): Promise<UpdateDelaysReply> {
    const set = { delayMinMs, delayMaxMs, ...(inUseSinceMs === undefined ? {} : { inUseSinceMs }) }
    // The empty change of the instance lets nodes that remember its row read it again.
    await journal.write([
      { type: 'pacing', set },
      { type: 'instance', set: {} },
    ])
    await pacer.use(set)
    return { delayMinMs, delayMaxMs }
  },
})
