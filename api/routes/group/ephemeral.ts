import type { GroupEphemeralReply, GroupEphemeralRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

const DAY = 86_400
const SECONDS = { off: 0, '1d': DAY, '7d': 7 * DAY, '90d': 90 * DAY } as const

export const groupEphemeral = instanceRoute<GroupEphemeralRequest>({
  method: 'POST',
  path: '/group/ephemeral',
  name: 'groupEphemeral',
  area: 'Group',
  scope: 'token',
  summary: 'Let messages of a group disappear',
  schema: 'group/ephemeral.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, duration } }, { ports }): Promise<GroupEphemeralReply> {
    const { seconds, ephemeral, response } = disappearingOf(duration)
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'ephemeral', seconds },
    })
    return {
      response,
      chat: changed.group.jid,
      ephemeral,
      ...groupAfter(changed, instance.owner),
    }
  },
})

/** Reads after how long messages disappear, and says so. */
export function disappearingOf(duration: GroupEphemeralRequest['duration']) {
  const label = duration === 0 || duration === '0' ? 'off' : duration
  const seconds = SECONDS[label]
  const response = seconds > 0 ? 'Messages disappear now' : 'Messages stay now'
  return { seconds, response, ephemeral: { enabled: seconds > 0, seconds, label } }
}
