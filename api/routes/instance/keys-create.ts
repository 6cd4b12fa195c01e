import type { CreateKeyReply, CreateKeyRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { chatIdOf, parseAddress } from '../../../schemas/jid.js'
import { keyRecord } from '../../answers/key-record.js'
import { instanceRoute } from '../../route.js'

export const createKey = instanceRoute<CreateKeyRequest>({
  method: 'POST',
  path: '/instance/keys',
  name: 'createKey',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary:
    'Make a key: a token that may only read, only send, or only be used for one chat, for some time or until it is deleted',
  schema: 'instance/keys-create.json',
  idempotent: 'kept',
  errors: ['INVALID_NUMBER', 'TOO_MANY_KEYS', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<CreateKeyReply> {
    const { name, scopes, chat, expiresInSeconds: life } = body
    if (scopes.includes('change') && !scopes.includes('send'))
      throw invalidField('scopes', 'must have send in addition to change')
    const { key, token } = await ports.accessKeys.create(instance.id, {
      name,
      scopes,
      chat: chat === undefined ? null : chatIdOf(parseAddress(chat, 'chat')),
      lifeMs: life === undefined ? null : life * 1_000,
    })
    return { key: keyRecord(key), token }
  },
})
