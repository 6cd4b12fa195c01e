/** Checks settings with Chatwoot itself, in an order in which each answer names one field, and sets the webhook of the inbox. */
import { GatewayError } from '../../schemas/errors.js'
import type { ChatwootInput } from '../../schemas/ports/chatwoot.js'
import { ChatwootApi } from './chatwoot-api.js'
import { clockDifference } from './clock-difference.js'
import type { ChatwootParts } from './parts.js'
import { ChatwootRefusal } from './refusal.js'

// Bound: 150,000, a field of Chatwoot or of a message.

export interface Settings extends Pick<ChatwootInput, 'accountId'> {
  readonly instance: string
  readonly inboxId: number
  readonly url: string
  readonly token: string
  readonly webhookUrl: string
}

export interface CheckedInbox {
  readonly identifier: string
  /** Undefined when the answer did not have it. */
  readonly signature: string | undefined
}

type Json = Readonly<Record<string, unknown>>

/** Clocks that differ by more will soon differ by too much. */
const CLOCKS_APART_MAX_MS = 60_000

/** @throws GatewayError URL_NOT_ALLOWED, CHATWOOT_REFUSED, CHATWOOT_UNREACHABLE */
export async function checkChatwootSettings(
  { outgoing, clock }: Pick<ChatwootParts, 'outgoing' | 'clock'>,
  settings: Settings,
  warnings: string[],
): Promise<CheckedInbox> {
  const { inboxId, webhookUrl } = settings
  const { api, account } = await openAccount(outgoing, settings)
  const inbox = await api
    .inbox(inboxId)
    .catch(refusalAs('inbox_id', 'inbox_id', 'is not an inbox that the user of the token is a member of'))
  if (inbox.channel_type !== 'Channel::Api')
    throw refused(
      'inbox_id',
      `must be an inbox of the type API; this one is ${toText(inbox.channel_type).slice(0, 100)}`,
    )
  warnOfPrivate(webhookUrl, warnings)
  if (api.clockMs !== null) {
    const aheadMs = api.clockMs - (await clock.nowMs())
    if (Math.abs(aheadMs) > CLOCKS_APART_MAX_MS) warnings.push(clockDifference(aheadMs))
  }
  const present = await withWebhook(api, inbox, settings, account.role, warnings)
  const signature = toText(present.secret) || toText(inbox.secret)
  if (signature === '' && account.role === 'administrator')
    warnings.push('This release of Chatwoot does not sign its webhooks; they are known by their secret path alone.')
  return { identifier: toText(inbox.inbox_identifier), signature: signature === '' ? undefined : signature }
}

/**
 * Checks the address, the token and the account.
 * @throws GatewayError URL_NOT_ALLOWED, CHATWOOT_REFUSED, CHATWOOT_UNREACHABLE
 */
export async function openAccount(
  outgoing: ChatwootParts['outgoing'],
  { instance, url, accountId, token }: Pick<Settings, 'instance' | 'url' | 'accountId' | 'token'>,
): Promise<{ readonly api: ChatwootApi; readonly account: { readonly id: number; readonly role: string } }> {
  const address = await outgoing.assertUrlAllowed(url, instance)
  if (address.search !== '' || address.hash !== '' || address.username !== '')
    throw refused('url', 'must be the address of Chatwoot alone, without a query, a user or a fragment')
  const api = new ChatwootApi(outgoing, { url, accountId, token, owner: instance })
  const accounts = await api.accounts().catch(refusalAs('url', 'access_token', 'is not accepted by Chatwoot'))
  const account = accounts.find(({ id }) => id === accountId)
  if (account !== undefined) return { api, account }
  const own =
    accounts
      .slice(0, 20)
      .map(({ id }) => id)
      .join(', ') || 'none'
  throw refused('account_id', `is not an account of this token; its accounts: ${own}`)
}

/** Sets the webhook where the token may, or says what is left to do. */
async function withWebhook(
  api: ChatwootApi,
  inbox: Json,
  { inboxId, webhookUrl }: Settings,
  role: string,
  warnings: string[],
): Promise<Json> {
  if (inbox.webhook_url === webhookUrl) return inbox
  if (role === 'administrator')
    return await api
      .setWebhook(inboxId, webhookUrl)
      .catch(refusalAs('inbox_id', 'access_token', 'may not change the inbox'))
  warnings.push(
    `The user of the token is not an administrator, so the webhook of the inbox was not set: enter ${webhookUrl} in the settings of the inbox.`,
  )
  return inbox
}

function warnOfPrivate(webhookUrl: string, warnings: string[]): void {
  const { hostname } = new URL(webhookUrl)
  if (!/^(localhost$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\])/.test(hostname)) return
  warnings.push(
    `The public address of this gateway is ${hostname}: Chatwoot 4.14 and newer refuse webhooks to private addresses unless SAFE_FETCH_ALLOW_PRIVATE_NETWORK is true there. Set PUBLIC_URL if it is another one.`,
  )
}

/** Returns a handler that makes an error for callers of a refusal: rights name one field, all else another. */
export function refusalAs(field: string, rightsField: string, why: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ChatwootRefusal)) throw error
    if (error.kind === 'away' || error.kind === 'busy')
      throw new GatewayError('CHATWOOT_UNREACHABLE', { details: [{ field: 'url', why: error.message }], cause: error })
    if (error.kind === 'auth') throw refused(rightsField, `${why} (${error.message})`)
    throw refused(field, error.message)
  }
}

export function refused(field: string, why: string): GatewayError {
  return new GatewayError('CHATWOOT_REFUSED', { message: `${field}: ${why}.`, details: [{ field, why }] })
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
