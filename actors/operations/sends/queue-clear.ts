import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Cancels the sends that are queued. */
export const queueClear = operation('queueClear', {
  repeat: true,
  example: { canceled: 0 },
  run: ({ sends }: InstanceContext): Promise<{ readonly canceled: number }> => sends.clearQueue(),
})
