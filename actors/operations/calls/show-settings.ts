import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

const NONE = { reject: false, text: '' }

/** Shows the calls that the instance rejects by itself. Needs no connection. */
export const showCallSettings = operation('showCallSettings', {
  repeat: true,
  example: { people: NONE, groups: NONE },
  run: ({ callRejections }: InstanceContext) => callRejections.settings(),
})
