import type { Chat, EditLeadRequest } from '../../../schemas/generated.js'
import { parseLeadId } from '../../../schemas/lead-chat.js'
import type { LeadFields } from '../../../schemas/stored-fields.js'
import { instanceRoute } from '../../route.js'

const SECONDS_BELOW = 1e11

export const editLead = instanceRoute<EditLeadRequest>({
  method: 'POST',
  path: '/chat/editLead',
  name: 'editLead',
  area: 'Chat',
  scope: 'token',
  summary: 'Change the lead data of a chat',
  schema: 'chat/edit-lead.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', 'INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<Chat> {
    const { id, lead_tags: tags, ...fields } = body
    parseLeadId(id)
    const { chatbot_disableUntil: disableUntil, chatbot_agentResetMemoryAt: resetMemoryAt } = fields
    const set: LeadFields = {
      ...fields,
      ...(tags === undefined ? {} : { lead_tags: listed(tags) }),
      ...(disableUntil === undefined ? {} : { chatbot_disableUntil: inMs(disableUntil) }),
      ...(resetMemoryAt === undefined ? {} : { chatbot_agentResetMemoryAt: inMs(resetMemoryAt) }),
    }
    const { record } = await ports.router.ask(instance.id, { type: 'editLead', id, set })
    return record as unknown as Chat
  },
})

/** A number that cannot be a time of our days in milliseconds is one in seconds: public examples show such. */
function inMs(time: number): number {
  return time < SECONDS_BELOW ? time * 1_000 : time
}

function listed(tags: readonly string[]): string {
  return [...new Set(tags.map((tag) => tag.trim()))].join(',')
}
