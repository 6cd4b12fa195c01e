/** `/phones/:number/…`: messages that the network delivers as stanzas of other kinds. */
import { proto } from '@whiskeysockets/baileys'
import { PhoneError } from '../phones/phone-error.js'
import type { Roster } from '../phones/roster.js'
import { postStatus, sendAppData } from '../phones/stanza-kinds.js'
import { optionalFlag, optionalText, requiredText, textList } from './fields.js'
import { createOnPhone } from './on-phone.js'
import type { Route } from './server.js'

export function stanzaKindRoutes(phones: Roster): Route[] {
  const onPhone = createOnPhone(phones)
  return [
    {
      method: 'POST',
      path: '/phones/:number/status',
      handle: onPhone((phone, { body }) => {
        const form = optionalText(body, 'form') ?? 'status'
        if (form !== 'status' && form !== 'message') throw new PhoneError(400, 'The field form is status or message.')
        const post = {
          to: textList(body, 'to'),
          message: { extendedTextMessage: { text: requiredText(body, 'text') } },
          form,
          keepsKey: optionalFlag(body, 'keepsKey') ?? false,
        } as const
        return phone.queue(() => postStatus(phone, post))
      }),
    },
    {
      method: 'POST',
      path: '/phones/:number/app-data',
      handle: onPhone((phone, { body }) =>
        phone.queue(() => sendAppData(phone, proto.Message.fromObject(body.message as object))),
      ),
    },
  ]
}
