/** Settings of an instance: calls, presence, and what the dialect keeps itself. */

import { GatewayError } from '../../../schemas/errors.js'
import type { DialectFacts } from '../../../schemas/ports/dialects.js'
import { setChatwoot, showChatwoot } from '../../routes/chatwoot/index.js'
import { setPresence } from '../../routes/instance/privacy.js'
import { setProxy, showProxy } from '../../routes/instance/proxy.js'
import { setCallSettings, updateReadingSettings } from '../../routes/instance/settings.js'
import { type DialectCall, DialectRefusal, type DialectRoute, type Json } from '../dialect.js'
import { asObject, asText, flag, isOn, object, text } from './fields.js'
import { groupsIgnored } from './webhooks.js'

const shared = { area: 'Settings', opens: 'instance' } as const

/** The Chatwoot of an instance. */

const inChatwoot = { area: 'Chatwoot', opens: 'instance' } as const

export const evolutionChatwootRoutes: readonly DialectRoute[] = [
  {
    ...inChatwoot,
    method: 'POST',
    path: '/chatwoot/set',
    name: 'setChatwoot',
    summary: 'Connect the instance with an inbox of Chatwoot',
    status: 201,
    operations: [setChatwoot],
    differs:
      '`nameInbox` with digits alone is the number of an inbox, as `inboxId` is. Agents are added to a new inbox in Chatwoot. Contacts and messages are not imported: ' +
      '`importContacts` or `importMessages` with true is refused. `conversationPending`, `mergeBrazilContacts`, `organization` and `logo` change nothing.',
    body: object(
      {
        enabled: flag('Whether messages are carried.'),
        accountId: text('Number of the account in Chatwoot.', 20),
        token: text('Access token of Chatwoot.', 1_000),
        url: text('Address of Chatwoot.', 2_000),
        signMsg: flag('Put the name of the agent above replies.'),
        reopenConversation: flag('Continue a conversation that was resolved.'),
        conversationPending: flag('Not used.'),
        inboxId: text('Number of the inbox.', 20),
        nameInbox: text('Name of the inbox; the name of the instance when left out or empty.', 200),
        autoCreate: flag('Make the inbox if none has the name. True when left out.'),
        importContacts: flag('Refused if true.'),
        importMessages: flag('Refused if true.'),
      },
      ['enabled', 'accountId', 'token', 'url'],
    ),
    handle: (call) => chatwootSet(call, call.body),
  },
  {
    ...inChatwoot,
    method: 'GET',
    path: '/chatwoot/find',
    name: 'findChatwoot',
    summary: 'Show the Chatwoot of the instance',
    status: 200,
    operations: [showChatwoot],
    differs: 'The token is masked.',
    async handle(call) {
      const set = await call.ask(showChatwoot)
      if (asText(set.chatwoot_url) === '') return null
      return {
        enabled: set.chatwoot_enabled,
        accountId: String(set.chatwoot_account_id),
        token: set.chatwoot_access_token,
        url: set.chatwoot_url,
        signMsg: set.chatwoot_sign_messages,
        reopenConversation: set.chatwoot_create_new_conversation !== true,
        nameInbox: String(set.chatwoot_inbox_id),
        webhook_url: set.chatwoot_inbox_webhook_url ?? '',
      }
    },
  },
]

/** @throws GatewayError INVALID_REQUEST */
export async function chatwootSet(call: DialectCall, fields: Json): Promise<Json> {
  const { enabled, accountId, token, url, signMsg, reopenConversation } = fields
  for (const field of ['importContacts', 'importMessages'])
    if (isOn(fields[field])) throw invalid(field, 'is not offered: contacts and messages are not imported')
  const account = Number(accountId)
  if (!Number.isSafeInteger(account) || account < 1) throw invalid('accountId', 'must be the number of the account')
  const reply = await call.ask(setChatwoot, {
    body: {
      enabled: isOn(enabled),
      url,
      access_token: token,
      account_id: account,
      ...chooseInbox(fields, call.name),
      sign_messages: isOn(signMsg),
      create_new_conversation: reopenConversation !== undefined && !isOn(reopenConversation),
    },
  })
  return { ...fields, token: '***', webhook_url: reply.chatwoot_inbox_webhook_url }
}

/** Returns which inbox is meant: by its number, or by its name, under which it is made as the original does. */
function chooseInbox({ inboxId, nameInbox, autoCreate }: Json, instanceName: string): Json {
  if (inboxId !== undefined) {
    const id = Number(inboxId)
    if (!Number.isSafeInteger(id) || id < 1) throw invalid('inboxId', 'must be the number of an inbox of the type API')
    return { inbox_id: id }
  }
  const name = asText(nameInbox).trim()
  // Bound: 200, `nameInbox`.
  if (/^[1-9]\d{0,8}$/.test(name)) return { inbox_id: Number(name) }
  return {
    inbox_name: name === '' ? instanceName : name,
    create_inbox: autoCreate === undefined || isOn(autoCreate),
  }
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', { details: [{ field, why }] })
}

/** The proxy of an instance. */

export const proxyRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    method: 'POST',
    path: '/proxy/set',
    name: 'setProxy',
    summary: 'Set the proxy of the instance, which is tested first',
    status: 201,
    operations: [setProxy],
    body: object({
      enabled: { description: 'Whether it is used.' },
      host: text('Host.', 500),
      port: text('Port.', 10),
      protocol: text('Protocol: http, https, socks4 or socks5.', 10),
      username: text('User.', 500),
      password: text('Password.', 500),
    }),
    handle: (call) => proxySet(call, call.body),
  },
  {
    ...shared,
    method: 'GET',
    path: '/proxy/find',
    name: 'findProxy',
    summary: 'Show the proxy of the instance',
    status: 200,
    operations: [showProxy],
    differs: 'The password is masked.',
    async handle(call) {
      const { proxy } = await call.ask<{ proxy?: unknown }>(showProxy)
      const url = asText(asObject(proxy).proxy_url)
      if (url === '' || call.instance === null) return null
      const { hostname: host, port, protocol, username } = new URL(url.replaceAll('*', 'x'))
      const shown = { enabled: true, host, port, protocol: protocol.slice(0, -1), username, password: '***' }
      return { id: call.instance.id, ...shown, instanceId: call.instance.id }
    },
  },
]

/** Sets the proxy that the fields name, or takes it away. @throws DialectRefusal if it does not work */
export async function proxySet(call: DialectCall, fields: Json): Promise<Json> {
  const isEnabled = isOn(fields.enabled)
  const shown = { ...fields, enabled: isEnabled, ...(asText(fields.password) === '' ? {} : { password: '***' }) }
  const body = isEnabled ? { mode: 'custom', proxy_url: formatUrl(fields) } : { mode: 'none', confirm_no_proxy: true }
  await call.ask(setProxy, { body }).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'PROXY_FAILED')
      throw new DialectRefusal('PROXY_FAILED', 400, 'Invalid proxy', error)
    throw error
  })
  return { proxy: { instanceName: call.name, proxy: shown } }
}

function formatUrl({ host, port, protocol, username, password }: Json): string {
  const user = asText(username) === '' ? '' : `${encodeURIComponent(asText(username))}:`
  const secret = user === '' ? '' : `${user}${encodeURIComponent(asText(password))}@`
  const at = asText(port) === '' ? asText(host) : `${asText(host)}:${asText(port)}`
  return `${asText(protocol) || 'http'}://${secret}${at}`
}

const FLAGS = ['rejectCall', 'groupsIgnore', 'alwaysOnline', 'readMessages', 'readStatus', 'syncFullHistory'] as const

export const settingFields = {
  rejectCall: flag('Reject calls.'),
  msgCall: text('Text to callers whose call was rejected.', 1_000),
  groupsIgnore: flag('Leave messages of groups out of the webhook.'),
  alwaysOnline: flag('Show the account as online.'),
  readMessages: flag('Mark received messages as read.'),
  readStatus: flag('Mark status posts as read.'),
  syncFullHistory: flag('Ask the phone for the whole history at the next pairing.'),
}

export const settingRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    method: 'POST',
    path: '/settings/set',
    name: 'setSettings',
    summary: 'Change the settings of the instance',
    status: 201,
    operations: [setCallSettings, setPresence, updateReadingSettings],
    differs: '`groupsIgnore` leaves messages of groups out of the webhook; they are stored all the same.',
    body: object(settingFields, FLAGS),
    async handle(call) {
      const settings = await changeSettings(call, call.body)
      return { settings: { instanceName: call.name, settings } }
    },
  },
  {
    ...shared,
    method: 'GET',
    path: '/settings/find',
    name: 'findSettings',
    summary: 'Show the settings of the instance',
    status: 200,
    operations: [],
    async handle({ facts }) {
      return evolutionSettings(facts)
    },
  },
]

/** Returns the settings as they were set here. */
export function evolutionSettings(facts: DialectFacts | null): Json {
  const settings: Json = facts?.settings ?? {}
  const flags = FLAGS.map((name) => [name, settings[name] === true] as const)
  return { ...Object.fromEntries(flags), msgCall: asText(settings.msgCall), wavoipToken: '' }
}

/** Carries out the settings that a body has, and keeps them. Settings that it leaves out stay. */
export async function changeSettings(call: DialectCall, body: Json): Promise<Json> {
  const { instance, facts } = call
  if (instance === null) throw new Error('Settings have no instance.')
  const before = evolutionSettings(facts)
  const given = FLAGS.filter((name) => body[name] !== undefined).map((name) => [name, isOn(body[name])] as const)
  const changed: Json = {
    ...Object.fromEntries(given),
    ...(body.msgCall === undefined ? {} : { msgCall: asText(body.msgCall) }),
  }
  const settings = { ...before, ...changed }
  const has = (...names: readonly string[]) => names.some((name) => changed[name] !== undefined)
  if (has('rejectCall', 'msgCall')) {
    const rule = { reject: settings.rejectCall, text: settings.msgCall }
    await call.ask(setCallSettings, { body: { people: rule, groups: rule } })
  }
  // Other values leave the presence as it is: it may have been chosen by a call of its own.
  if (settings.alwaysOnline !== before.alwaysOnline)
    await call.ask(setPresence, { body: { presence: settings.alwaysOnline === true ? 'available' : 'unavailable' } })
  if (has('readMessages', 'readStatus', 'syncFullHistory')) {
    const { readMessages, readStatus, syncFullHistory } = settings
    await call.ask(updateReadingSettings, {
      body: { readMessages, readStatus, fullHistory: syncFullHistory },
    })
  }
  if (settings.groupsIgnore !== before.groupsIgnore) await groupsIgnored(call, settings.groupsIgnore === true)
  if (Object.keys(changed).length > 0) await call.context.ports.dialects.change('evolution', instance, changed)
  return settings
}
