import type { CheckNumbersReply, CheckNumbersRequest } from '../../../schemas/generated.js'
import { chatIdOf } from '../../../schemas/jid.js'
import { instanceRoute } from '../../route.js'

export const checkNumbers = instanceRoute<CheckNumbersRequest>({
  method: 'POST',
  path: '/chat/check',
  name: 'checkNumbers',
  area: 'Chat',
  scope: 'send',
  summary: 'Check which numbers have an account',
  schema: 'chat/check.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<CheckNumbersReply> {
    const checked = await ports.router.ask(instance.id, {
      type: 'checkNumbers',
      numbers: body.numbers,
      country: instance.defaultCountry,
    })
    return checked.map(({ query, address, groupName, error }) => ({
      query,
      jid: address === null ? '' : chatIdOf(address),
      lid: address?.lid ?? '',
      isInWhatsapp: address !== null,
      verifiedName: '',
      groupName,
      error,
    }))
  },
})
