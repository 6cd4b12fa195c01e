import type { UpdateParticipantsReply, UpdateParticipantsRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateParticipants = instanceRoute<UpdateParticipantsRequest>({
  method: 'POST',
  path: '/group/updateParticipants',
  name: 'updateParticipants',
  area: 'Group',
  scope: 'token',
  summary: 'Add, remove, promote or demote members, and answer requests to join',
  schema: 'group/update-participants.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, action, participants } }, { ports }): Promise<UpdateParticipantsReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'members', action, numbers: participants },
    })
    return {
      groupUpdated: changed.people.map(({ jid, error, invitation }) => ({
        ...{ JID: jid, Error: error },
        ...(invitation === undefined ? {} : { AddRequest: addRequestOf(invitation) }),
      })),
      ...groupAfter(changed, instance.owner),
    }
  },
})

function addRequestOf({ code, expiresSeconds }: { readonly code: string; readonly expiresSeconds: number }) {
  return { Code: code, Expiration: new Date(expiresSeconds * 1000).toISOString() }
}
