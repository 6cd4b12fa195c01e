/** Implements the port `ChatwootDirectory` of the API. */
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'
import { isMaskedKey } from '../../schemas/agents/key-mask.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { invalidField } from '../../schemas/invalid-field.js'
import type { ChatwootDirectory, ChatwootInput, ChatwootShown } from '../../schemas/ports/chatwoot.js'
import type {
  ChatwootConfig,
  ChatwootConfigs,
  ChatwootSecrets,
  ChatwootSettings,
} from '../store/chatwoot/config-rows.js'
import {
  type CheckedInbox,
  checkChatwootSettings,
  openAccount,
  refusalAs,
  refused,
  type Settings,
} from './check-settings.js'
import type { ChatwootParts, KnownConfigs } from './parts.js'
import type { ChatwootReceiver } from './receiver.js'

/** Settings whose inbox is known by its number. */
type Known = ChatwootInput & { readonly inboxId: number }

export interface DirectoryOptions extends Pick<ChatwootParts, 'store' | 'known' | 'outgoing' | 'clock'> {
  readonly receiver: Pick<ChatwootReceiver, 'admit' | 'receive'>
  /** Public address of the gateway, without a slash at its end. */
  readonly publicUrl: () => string
  /** Called after the settings were written. */
  readonly onWritten: (instance: InstanceId, webhookId: string) => void
}

export function createChatwootDirectory(options: DirectoryOptions): ChatwootDirectory {
  const { store, known, receiver, publicUrl, onWritten } = options
  const webhookUrl = (instance: string, path: string) => `${publicUrl()}/chatwoot/webhook/${instance}/${path}`

  async function show(instance: InstanceId): Promise<ChatwootShown | null> {
    const config = await store.configs.byInstance(instance)
    if (config === null) return null
    const { waiting, failed } = await store.incomings.count(instance)
    const { enabled, url, accountId, inboxId, tokenMask, ignoreGroups, signMessages, createNewConversation } = config
    const { state, lastError, lastSent, lastReceived, missed, webhookId } = config
    return {
      ...{ enabled, url, accountId, inboxId, tokenMask, ignoreGroups, signMessages, createNewConversation },
      ...{ state, lastError, lastSent, lastReceived, webhookId },
      webhookUrl: webhookUrl(instance, config.path),
      isSigned: config.signature !== '',
      repliesWaiting: waiting,
      repliesFailed: failed,
      repliesMissed: missed,
    }
  }

  return {
    show,
    async set(instance, given, warnings) {
      const present = await store.configs.byInstance(instance)
      const url = withoutSlashes(given.url)
      const token = chooseToken(given, url, present)
      const isRelinked = given.relink === true
      const refuseLinked = async () => {
        if (!isRelinked && (await store.configs.hasConversations(instance))) throw new GatewayError('CHATWOOT_LINKED')
      }
      const path = present?.path ?? randomBytes(24).toString('hex')
      const address = webhookUrl(instance, path)
      const inboxId = given.inboxId ?? (await inboxByName())
      const input = { ...given, inboxId }
      const isElsewhere = present !== null && !isSameInbox(present, url, input)
      if (isElsewhere) await refuseLinked()
      // Switching it off must work while Chatwoot is away.
      const inbox = input.enabled
        ? await checkChatwootSettings(options, { ...input, instance, url, token, webhookUrl: address }, warnings)
        : unchecked(isElsewhere || isRelinked ? null : present)
      // Its ids are those of other people.
      const isAnew = present !== null && isOtherIdentifier(present, inbox)
      if (isAnew) await refuseLinked()
      const isOtherInbox = present !== null && (isElsewhere || isRelinked || isAnew)
      const secrets: ChatwootSecrets = { token, path, signature: inbox.signature ?? present?.signature ?? '' }
      const settings = composeSettings(input, url, token, inbox)
      const receiverUrl = formatReceiverUrl(url, input)
      const webhookId = await store.configs.save(instance, settings, secrets, receiverUrl, isOtherInbox)
      known.forget([instance])
      onWritten(instance, webhookId)
      return (await show(instance)) as ChatwootShown

      async function inboxByName(): Promise<number> {
        const { inboxName: name = '', accountId, createsInbox } = given
        if (name === '') throw invalidField('inbox_id', 'is required, or inbox_name')
        // Switching it off asks nobody.
        if (!given.enabled && present === null) throw invalidField('inbox_id', 'is required while enabled is false')
        if (!given.enabled && present !== null) return present.inboxId
        const wanted = { instance, url, accountId, token, webhookUrl: address, name, createsInbox }
        return await findNamedInbox(options, { ...wanted, beforeCreation: refuseLinked }, warnings)
      }
    },
    admit: (instance, secret, headers) => receiver.admit(instance, secret, headers),
    receive: (instance, secret, headers, body) => receiver.receive(instance, secret, headers, body),
  }
}

/**
 * Returns the address of the row of `webhook`. No call goes there: it names the Chatwoot to breakers. A node of a release without Chatwoot
 * finds no such host and keeps the events, while it would give them up soon if the API refused them.
 */
function formatReceiverUrl(url: string, { accountId, inboxId }: Pick<Known, 'accountId' | 'inboxId'>): string {
  const { protocol, hostname, port } = new URL(url)
  // Bound: 150,000, a field of Chatwoot or of a message.
  const host = `${hostname.replace(/[[\]:]/g, '')}.chatwoot.invalid${port === '' ? '' : `:${port}`}`
  return `${protocol}//${host}/accounts/${accountId}/inboxes/${inboxId}`
}

function isSameInbox(present: ChatwootConfig, url: string, input: Known): boolean {
  return present.url === url && present.accountId === input.accountId && present.inboxId === input.inboxId
}

/** Returns true when another inbox has the number: the platform was installed again at its address. */
function isOtherIdentifier(
  { inboxIdentifier: former }: ChatwootConfig,
  { identifier: present }: CheckedInbox,
): boolean {
  return former !== '' && present !== '' && former !== present
}

/**
 * Returns the token; that of the present settings if its mask was given.
 * @throws GatewayError INVALID_REQUEST for a mask with another address, since the token would be sent there, and for the mask of another token
 */
function chooseToken({ accessToken }: ChatwootInput, url: string, present: ChatwootConfig | null): string {
  if (present === null || accessToken !== present.tokenMask) {
    if (!isMaskedKey(accessToken)) return accessToken
    throw invalidField('access_token', 'is the shortened form of another token: send the whole token')
  }
  if (url !== present.url)
    throw invalidField('access_token', 'is required with another url: send the whole token again')
  return present.token
}

function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

function unchecked(present: ChatwootConfig | null): CheckedInbox {
  return { identifier: present?.inboxIdentifier ?? '', signature: present?.signature }
}

function composeSettings(input: Known, url: string, token: string, { identifier }: CheckedInbox): ChatwootSettings {
  return {
    enabled: input.enabled,
    url,
    accountId: input.accountId,
    inboxId: input.inboxId,
    inboxIdentifier: identifier,
    tokenMask: `...${token.slice(-4)}`,
    ignoreGroups: input.ignoreGroups ?? false,
    signMessages: input.signMessages ?? false,
    createNewConversation: input.createNewConversation ?? false,
  }
}

// Finds the inbox with a name, or makes it, for callers that know no number.

interface NamedInbox extends Pick<Settings, 'instance' | 'url' | 'accountId' | 'token' | 'webhookUrl'> {
  readonly name: string
  readonly createsInbox: ChatwootInput['createsInbox']
  /** Called before an inbox is made; throws if that must not be. */
  readonly beforeCreation: () => Promise<void>
}

/**
 * Returns the number of the inbox.
 * @throws GatewayError URL_NOT_ALLOWED, CHATWOOT_REFUSED, CHATWOOT_UNREACHABLE, and what `beforeCreation` throws
 */
async function findNamedInbox(
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

const CONFIGS_MAX = 10_000
const TTL_MS = 5_000

/** Remembers settings for a few seconds. Another node's change is noticed by a hint, or after that time. */
export function createConfigCache(configs: Pick<ChatwootConfigs, 'byInstance'>): KnownConfigs {
  const known = new LRUCache<InstanceId, Promise<ChatwootConfig | null>>({
    ...entriesMax(CONFIGS_MAX),
    ttl: TTL_MS,
  })
  return {
    byInstance(instance) {
      const cached = known.get(instance)
      if (cached !== undefined) return cached
      const read = configs.byInstance(instance)
      known.set(instance, read)
      read.catch(() => known.delete(instance))
      return read
    },
    forget(instances) {
      if (instances === 'all') known.clear()
      else for (const instance of instances) known.delete(instance)
    },
  }
}
