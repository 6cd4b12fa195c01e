/** The Chatwoot of an instance. */
import { GatewayError } from '../../../schemas/errors.js'
import { setChatwoot, showChatwoot } from '../../routes/chatwoot/index.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { asText, flag, isOn, object, text } from './fields.js'

// Bound: 200, `nameInbox`.

const shared = { area: 'Chatwoot', opens: 'instance' } as const

export const evolutionChatwootRoutes: readonly DialectRoute[] = [
  {
    ...shared,
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
    ...shared,
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
      ...inboxOf(fields, call.name),
      sign_messages: isOn(signMsg),
      create_new_conversation: reopenConversation !== undefined && !isOn(reopenConversation),
    },
  })
  return { ...fields, token: '***', webhook_url: reply.chatwoot_inbox_webhook_url }
}

/** Returns which inbox is meant: by its number, or by its name, under which it is made as the original does. */
function inboxOf({ inboxId, nameInbox, autoCreate }: Json, instanceName: string): Json {
  if (inboxId !== undefined) {
    const id = Number(inboxId)
    if (!Number.isSafeInteger(id) || id < 1) throw invalid('inboxId', 'must be the number of an inbox of the type API')
    return { inbox_id: id }
  }
  const name = asText(nameInbox).trim()
  if (/^[1-9]\d{0,8}$/.test(name)) return { inbox_id: Number(name) }
  return {
    inbox_name: name === '' ? instanceName : name,
    create_inbox: autoCreate === undefined || isOn(autoCreate),
  }
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', { details: [{ field, why }] })
}
