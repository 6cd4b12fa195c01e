import type { CallRule, CallSettings } from '../../../schemas/instance-settings.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface SetCallSettingsFields {
  readonly people?: Partial<CallRule>
  readonly groups?: Partial<CallRule>
}

const NONE = { reject: false, text: '' }

/** Changes the calls that the instance rejects by itself. Settings that are not named stay. Needs no connection. */
export const setCallSettingsOperation = operation('setCallSettings', {
  repeat: true,
  example: { people: NONE, groups: NONE },
  async run({ callRejections, journal }: InstanceContext, { people, groups }: SetCallSettingsFields) {
    const before = await callRejections.settings()
    const after: CallSettings = {
      people: { ...before.people, ...people },
      groups: { ...before.groups, ...groups },
    }
    await journal.write([{ type: 'instance', set: { callSettings: JSON.stringify(after) } }])
    callRejections.use(after)
    return after
  },
})
