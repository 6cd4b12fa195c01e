/** `/phones/:number/…`: the limits, privacy, presence, sessions and history of an account. */
import { type CustomerOrder, newBusiness } from '../network/business.js'
import { restrict, setUsername } from '../network/mex.js'
import type { Network } from '../network/network.js'
import { issueToken, setPrivacyOnPhone } from '../network/settings.js'
import type { StatusSetting } from '../network/status.js'
import type { History } from '../phones/greeting.js'
import { findRecipient, makeMessageId } from '../phones/outbox.js'
import type { Phone } from '../phones/phone.js'
import type { Roster } from '../phones/roster.js'
import { node } from '../wire/nodes.js'
import { optionalFlag, optionalText, requiredText, textList } from './fields.js'
import { createOnPhone } from './on-phone.js'
import type { ControlRequest, Route } from './server.js'

type Body = Record<string, unknown>

export function accountRoutes(network: Network, phones: Roster): Route[] {
  const onPhone = createOnPhone(phones)
  return [
    { method: 'POST', path: '/phones/:number/subscribe', handle: onPhone(subscribe) },
    {
      method: 'POST',
      path: '/phones/:number/token',
      handle: onPhone((phone, { body }) =>
        issueToken(network, phone.account, findRecipient(phone, requiredText(body, 'to'))),
      ),
    },
    {
      method: 'POST',
      path: '/phones/:number/presence',
      handle: onPhone((phone, { body }) => phone.setAvailable(optionalFlag(body, 'available') ?? true)),
    },
    { method: 'POST', path: '/phones/:number/block', handle: onPhone(block) },
    {
      method: 'POST',
      path: '/phones/:number/username',
      handle: onPhone(({ account }, { body }) =>
        setUsername(network, account, optionalText(body, 'username') ?? '', optionalText(body, 'key') ?? ''),
      ),
    },
    {
      method: 'POST',
      path: '/phones/:number/limits',
      handle: onPhone(({ account }, { body }) => {
        const { lock, cap } = body as { lock?: Body | null; cap?: Body | null }
        restrict(network, account, {
          ...(lock === undefined ? {} : { lock }),
          ...(cap === undefined ? {} : { cap }),
          isCounted: optionalFlag(body, 'count') ?? false,
          isTold: optionalFlag(body, 'tell') ?? false,
        })
      }),
    },
    { method: 'PUT', path: '/phones/:number/business', handle: onPhone(setBusiness) },
    { method: 'GET', path: '/phones/:number/business', handle: onPhone(({ account }) => account.business ?? null) },
    { method: 'PUT', path: '/phones/:number/orders/:id', handle: onPhone(setOrder) },
    { method: 'POST', path: '/phones/:number/status-setting', handle: onPhone(setStatusAudience) },
    {
      method: 'POST',
      path: '/phones/:number/payments',
      handle: onPhone(({ account }, { body }) => {
        account.mayRequestPayments = optionalFlag(body, 'allowed') ?? true
      }),
    },
    {
      method: 'POST',
      path: '/phones/:number/privacy',
      handle: onPhone(({ account }, { body }) =>
        setPrivacyOnPhone(network, account, requiredText(body, 'category'), requiredText(body, 'value')),
      ),
    },
    {
      method: 'DELETE',
      path: '/phones/:number/sessions',
      handle: onPhone((phone) => phone.queue(() => phone.signal.forgetSessions())),
    },
    {
      method: 'PUT',
      path: '/phones/:number/history',
      handle: onPhone((phone, { body }) => {
        phone.history = body as History
      }),
    },
    {
      method: 'POST',
      path: '/phones/:number/history',
      handle: onPhone((phone) => phone.sendHistory()),
    },
  ]
}

/** Makes the account a business, with these texts of its profile; with `business: false` an ordinary account again. */
function setBusiness({ account }: Phone, { body }: ControlRequest): void {
  account.business = body.business === false ? undefined : newBusiness(body as Record<string, string>)
}

/** Notes an order that a customer made from this business. */
function setOrder({ account }: Phone, { body, parameters }: ControlRequest): void {
  account.business?.orders.set(parameters.id ?? '', body as unknown as CustomerOrder)
}

/** Sets who may see the status posts of the account: `type` and `people`; `refused`: the network does not tell. */
function setStatusAudience(phone: Phone, { body }: ControlRequest): void {
  const type = requiredText(body, 'type')
  const people = textList(body, 'people').map((number) => findRecipient(phone, number))
  phone.account.statusSetting = type === 'refused' ? type : { type: type as StatusSetting['type'], people }
}

function block(phone: Phone, { body }: ControlRequest): void {
  const action = (optionalFlag(body, 'blocked') ?? true) ? 'block' : 'unblock'
  const person = findRecipient(phone, requiredText(body, 'number'))
  const identifier = action === 'block' ? { pn_jid: person.jid('pn') } : {}
  const item = node('item', { action, jid: person.jid('lid'), ...identifier })
  phone.transmit(node('iq', { id: makeMessageId(), type: 'set', xmlns: 'blocklist', to: '@s.whatsapp.net' }, [item]))
}

function subscribe(phone: Phone, { body }: ControlRequest): void {
  phone.transmit(node('presence', { type: 'subscribe', to: findRecipient(phone, requiredText(body, 'to')).jid('pn') }))
}
