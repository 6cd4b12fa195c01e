import { GatewayError } from '../../../schemas/errors.js'
import type { ArchiveChatReply, ArchiveChatRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const archiveChat = instanceRoute<ArchiveChatRequest>({
  method: 'POST',
  path: '/chat/archive',
  name: 'archiveChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Archive a chat, or bring it back',
  schema: 'chat/archive.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body: { number, archive } }, { ports }): Promise<ArchiveChatReply> {
    await ports.router
      .ask(instance.id, { type: 'setChat', number, setting: { kind: 'archive', isSet: archive } })
      .catch(asInvalidFormat)
      .catch(withText('Error archiving chat'))
    return { response: archive ? 'Chat archived successfully' : 'Chat unarchived successfully' }
  },
})

/** Replaces the text of the error by that of the interface. */
function asInvalidFormat(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'INVALID_NUMBER') throw error
  throw new GatewayError('INVALID_NUMBER', {
    message: 'Invalid phone number format',
    details: error.details ?? [{ field: 'number', why: error.message }],
    cause: error,
  })
}
