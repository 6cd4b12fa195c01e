/** `/phones/:number/…`: the calls of a phone. */
import type { Phone } from '../phones/phone.js'
import type { Roster } from '../phones/roster.js'
import { optionalFlag, optionalText, requiredText } from './fields.js'
import { createOnPhone } from './on-phone.js'
import type { Route } from './server.js'

type Body = Record<string, unknown>

export function callRoutes(phones: Roster): Route[] {
  const onPhone = createOnPhone(phones)
  const onCall = (act: (calls: Phone['calls'], id: string, body: Body) => void) =>
    onPhone((phone, { body }) => act(phone.calls, requiredText(body, 'id'), body))
  return [
    {
      method: 'POST',
      path: '/phones/:number/call',
      handle: onPhone((phone, { body }) =>
        phone.calls.call(requiredText(body, 'to'), optionalFlag(body, 'video') ?? false),
      ),
    },
    { method: 'POST', path: '/phones/:number/answer', handle: onCall((calls, id) => calls.accept(id)) },
    { method: 'POST', path: '/phones/:number/decline', handle: onCall((calls, id) => calls.reject(id)) },
    {
      method: 'POST',
      path: '/phones/:number/hangup',
      handle: onCall((calls, id, body) => calls.hangUp(id, optionalText(body, 'reason'))),
    },
    { method: 'GET', path: '/phones/:number/calls', handle: onPhone((phone) => [...phone.calls.all.values()]) },
  ]
}
