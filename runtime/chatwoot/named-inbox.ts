/** Finds the inbox with a name, or makes it, for callers that know no number. */
import type { ChatwootInput } from '../../schemas/ports/chatwoot.js'
import { openAccount, refusalAs, refused, type Settings } from './check-settings.js'
import type { ChatwootParts } from './parts.js'

export interface NamedInbox extends Pick<Settings, 'instance' | 'url' | 'accountId' | 'token' | 'webhookUrl'> {
  readonly name: string
  readonly createsInbox: ChatwootInput['createsInbox']
  /** Called before an inbox is made; throws if that must not be. */
  readonly beforeCreation: () => Promise<void>
}

/**
 * Returns the number of the inbox.
 * @throws GatewayError URL_NOT_ALLOWED, CHATWOOT_REFUSED, CHATWOOT_UNREACHABLE, and what `beforeCreation` throws
 */
export async function findNamedInbox(
  { outgoing }: Pick<ChatwootParts, 'outgoing'>,
  wanted: NamedInbox,
  warnings: string[],
): Promise<number> {
  const { name, webhookUrl, createsInbox, beforeCreation } = wanted
  const { api, account } = await openAccount(outgoing, wanted)
  const inboxes = await api.inboxes().catch(refusalAs('inbox_name', 'access_token', 'may not list inboxes'))
  const [found, ...others] = inboxes.filter((inbox) => inbox.name === name && inbox.type === 'Channel::Api')
  if (others.length > 0)
    throw refused('inbox_name', 'is the name of several inboxes of the type API: give the number of one (inbox_id)')
  if (found !== undefined) {
    if (isTaken(found.webhookUrl, webhookUrl))
      throw refused(
        'inbox_name',
        `is the name of inbox ${found.id}, which another instance of this gateway has: choose another name, or give its number (inbox_id)`,
      )
    return found.id
  }
  if (createsInbox !== true)
    throw refused('inbox_name', 'must be the name of an inbox of the type API; create_inbox makes it')
  if (account.role !== 'administrator')
    throw refused(
      'access_token',
      'must be the token of an administrator, since no inbox has this name and only they make inboxes',
    )
  await beforeCreation()
  const id = await api
    .createInbox(name, webhookUrl)
    .catch(refusalAs('inbox_name', 'access_token', 'may not make an inbox'))
  warnings.push(`The inbox ${name.slice(0, 100)} was made. Add the agents who may answer to it in Chatwoot.`)
  return id
}

/** Returns true if the webhook leads to another instance here. That of another gateway may be replaced: the account moves. */
function isTaken(present: string, own: string): boolean {
  if (present === own || !URL.canParse(present)) return false
  const [there, here] = [new URL(present), new URL(own)]
  // Path: …/chatwoot/webhook/<instance>/<secret>. The secret of this instance may be another one since.
  const target = ({ origin, pathname }: URL): string => `${origin}${pathname.slice(0, pathname.lastIndexOf('/'))}`
  const base = (url: URL): string => target(url).slice(0, target(url).lastIndexOf('/'))
  return base(there) === base(here) && target(there) !== target(here)
}
