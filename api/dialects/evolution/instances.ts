/** Instances: making, pairing, state, end. */
import { GatewayError } from '../../../schemas/errors.js'
import type { Instance } from '../../../schemas/generated.js'
import type { DialectFacts } from '../../../schemas/ports/dialects.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { arrayAnswer } from '../../answers/array-answer.js'
import type { Answer } from '../../route.js'
import { connectInstance, disconnectInstance, resetInstance, showStatus } from '../../routes/instance/connection.js'
import { deleteInstance } from '../../routes/instance/life.js'
import { setPresence } from '../../routes/instance/privacy.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { DialectRefusal } from '../dialect.js'
import { asObject, asText, choice, flag, isOn, nameInUse, object, text } from './fields.js'
import { changeSettings, chatwootSet, evolutionSettings, proxySet, settingFields } from './settings.js'
import { setEvolutionWebhook, toWebhook, webhookFields } from './webhooks.js'

// Bound: 1,048,576, a body or header of a request.

const INTEGRATION = 'WHATSAPP-BAILEYS'
const STATES: Readonly<Record<InstanceRow['status'], string>> = {
  connected: 'open',
  connecting: 'connecting',
  disconnected: 'close',
}
/** Beginning of the text of a QR code, which clients that draw it themselves have without it. */
const QR_ADDRESS = /^https:\/\/wa\.me\/settings\/linked_devices#/

interface Live {
  readonly instance: Instance
}

const shared = { area: 'Instances' } as const

export const evolutionInstanceRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    method: 'POST',
    path: '/instance/create',
    name: 'createInstance',
    summary: 'Make an instance, with its settings, webhook, proxy and Chatwoot',
    opens: 'admin',
    status: 201,
    operations: [],
    differs: 'Other channels than `WHATSAPP-BAILEYS` are refused. A `token` of your own has 8 to 200 characters.',
    body: object(
      {
        instanceName: { ...text('Its name, unique among all.', 100), pattern: '^[^/?#]*$', minLength: 1 },
        integration: choice('Channel.', INTEGRATION),
        token: { ...text('Its key; made when missing.', 200), pattern: '^([\\x21-\\x7e]{8,200})?$' },
        number: text('Number of the phone, for a pairing code.', 100),
        qrcode: flag('Connect at once, and answer with the QR code.'),
        ...settingFields,
        ...{ proxyHost: text('Proxy: host.', 500), proxyPort: text('Proxy: port.', 10) },
        ...{ proxyProtocol: text('Proxy: protocol.', 10), proxyUsername: text('Proxy: user.', 500) },
        proxyPassword: text('Proxy: password.', 500),
        webhook: webhookFields,
      },
      ['instanceName'],
    ),
    handle: create,
  },
  {
    ...shared,
    method: 'GET',
    path: '/instance/connect',
    name: 'connectInstance',
    summary: 'Connect the instance: answers with a QR code, or with a pairing code for a `number`',
    opens: 'instance',
    status: 200,
    operations: [connectInstance],
    query: object({ number: text('Number of the phone, for a pairing code.', 100) }),
    handle: connect,
  },
  {
    ...shared,
    method: 'GET',
    path: '/instance/connectionState',
    name: 'connectionState',
    summary: 'Show whether the instance is connected',
    opens: 'instance',
    status: 200,
    operations: [showStatus],
    async handle(call) {
      const { instance } = await call.ask<Live>(showStatus)
      return { instance: { instanceName: call.name, state: STATES[instance.status] } }
    },
  },
  {
    ...shared,
    method: 'GET',
    path: '/instance/fetchInstances',
    name: 'fetchInstances',
    summary: 'List the instances; the key of an instance lists that one',
    opens: 'any',
    status: 200,
    operations: [],
    differs: '`token` is only that of instances that were made here. `_count` is always 0.',
    query: object({
      instanceName: text('Only the instance of this name.', 100),
      instanceId: text('Only the instance of this id.', 100),
      number: text('Only the instance of this number.', 100),
    }),
    handle: fetchInstances,
  },
  {
    ...shared,
    method: 'POST',
    path: '/instance/restart',
    name: 'restartInstance',
    summary: 'Close the connection and open it again',
    opens: 'instance',
    status: 200,
    operations: [resetInstance, showStatus],
    async handle(call) {
      await call.ask(resetInstance, { body: {} })
      const { instance } = await call.ask<Live>(showStatus)
      return { instance: { instanceName: call.name, state: STATES[instance.status] } }
    },
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/instance/logout',
    name: 'logoutInstance',
    summary: 'End the pairing',
    opens: 'instance',
    status: 200,
    operations: [disconnectInstance],
    async handle(call) {
      await call.ask(disconnectInstance, { body: {} })
      return done('Instance logged out')
    },
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/instance/delete',
    name: 'deleteInstance',
    summary: 'Delete the instance with all its data',
    opens: 'instance',
    status: 200,
    operations: [deleteInstance],
    async handle(call) {
      await call.ask(deleteInstance)
      return done('Instance deleted')
    },
  },
  {
    ...shared,
    method: 'POST',
    path: '/instance/setPresence',
    name: 'setPresence',
    summary: 'Choose the presence that the account shows',
    opens: 'instance',
    status: 201,
    operations: [setPresence],
    body: object({ presence: choice('Presence.', 'available', 'unavailable') }, ['presence']),
    async handle(call) {
      const { presence } = call.body
      await call.ask(setPresence, { body: { presence } })
      return { presence }
    },
  },
]

/** Makes the instance, then what belongs to it. If a part is refused, the instance goes again: a client may repeat the call. */
async function create(call: DialectCall): Promise<Json> {
  const { ports } = call.context
  const { instanceName, token, qrcode, number, webhook } = call.body
  const name = String(instanceName)
  const given = asText(token)
  if ((await ports.dialects.find('evolution', name)) !== null) throw nameInUse(name, undefined)
  if (given !== '' && (await ports.adminTokens.identify(given)) !== null) throw tokenInUse(undefined)
  const { row, facts } = await ports.dialects
    .create('evolution', { name, ...(given === '' ? {} : { token: given }), settings: {} })
    .catch((error: unknown) => {
      if (!(error instanceof GatewayError) || error.code !== 'NAME_TAKEN') throw error
      throw isAboutToken(error) ? tokenInUse(error) : nameInUse(name, error)
    })
  const own: DialectCall = { ...call, instance: row, name, facts, ask: (route, asked) => call.ask(route, asked, row) }
  try {
    const settings = await changeSettings(own, call.body)
    const hook = Object.keys(asObject(webhook)).length === 0 ? null : await setEvolutionWebhook(own, asObject(webhook))
    if (asText(call.body.proxyHost) !== '') await proxySet(own, toProxyFields(call.body))
    if (asText(call.body.chatwootUrl) !== '') await chatwootSet(own, toChatwootFields(call.body))
    const shown = isOn(qrcode) ? await connect({ ...own, query: { number: asText(number) } }) : undefined
    return created({ name, row, facts, settings, hook, shown })
  } catch (error) {
    await ports.instances.delete(row.id)
    throw error
  }
}

interface Made {
  readonly name: string
  readonly row: InstanceRow
  readonly facts: DialectFacts
  readonly settings: Json
  readonly hook: Json | null
  readonly shown: Json | undefined
}

function created({ name, row, facts, settings, hook, shown }: Made): Json {
  const off = { enabled: false }
  return {
    instance: {
      instanceName: name,
      instanceId: row.id,
      integration: INTEGRATION,
      webhookWaBusiness: null,
      accessTokenWaBusiness: '',
      status: shown === undefined ? 'close' : 'connecting',
    },
    hash: facts.token,
    webhook:
      hook === null
        ? {}
        : {
            webhookUrl: hook.url,
            webhookHeaders: hook.headers,
            webhookByEvents: hook.webhookByEvents,
            webhookBase64: hook.webhookBase64,
          },
    ...{ websocket: off, rabbitmq: off, nats: off, sqs: off },
    settings,
    ...(shown === undefined ? {} : { qrcode: shown }),
  }
}

function toProxyFields({ proxyHost, proxyPort, proxyProtocol, proxyUsername, proxyPassword }: Json): Json {
  return {
    enabled: true,
    ...{ host: proxyHost, port: proxyPort, protocol: proxyProtocol, username: proxyUsername, password: proxyPassword },
  }
}

/** Returns the fields of `/chatwoot/set` from those of `/instance/create`, whose names begin with `chatwoot`. */
function toChatwootFields(body: Json): Json {
  const fields = Object.entries(body).flatMap(([name, value]) => {
    const own = /^chatwoot([A-Z])(.*)$/.exec(name)
    return own === null ? [] : [[`${own[1]?.toLowerCase()}${own[2]}`, value] as const]
  })
  return { enabled: true, ...Object.fromEntries(fields) }
}

async function connect(call: DialectCall): Promise<Json> {
  const phone = asText(call.query.number)
  const { instance } = await call.ask<Live>(connectInstance, { body: phone === '' ? {} : { phone } })
  if (instance.status === 'connected') return { instance: { instanceName: call.name, state: 'open' } }
  return toPairing(instance)
}

/** Returns the codes of a pairing. `base64` and `code` are those of the QR code. */
function toPairing({ paircode, qrcode, qrcodeText }: Pick<Instance, 'paircode' | 'qrcode' | 'qrcodeText'>): Json {
  const isShown = paircode !== '' || qrcode !== ''
  return {
    pairingCode: paircode === '' ? null : paircode,
    ...(qrcodeText === '' ? {} : { code: qrcodeText?.replace(QR_ADDRESS, ''), base64: qrcode }),
    count: isShown ? 1 : 0,
  }
}

async function fetchInstances(call: DialectCall): Promise<Answer> {
  const { ports } = call.context
  const known = new Map((await ports.dialects.list('evolution')).map((facts) => [facts.instance, facts]))
  // The row of a key may be some seconds old.
  const own = call.instance === null ? null : ((await ports.instances.byId(call.instance.id)) ?? call.instance)
  const pages = own === null ? ports.instances.all() : [[own]]
  return await arrayAnswer(foundIn(pages, known, call), (found) =>
    Promise.all(found.map((one) => instanceEntry(one, call))),
  )
}

interface Found {
  readonly row: InstanceRow
  readonly facts: DialectFacts | null
}

/** Instances whose webhooks and proxies are read at once. */
const ENTRIES_AT_ONCE = 20

/** @throws DialectRefusal INSTANCE_NOT_FOUND if the query names an instance that is not there */
async function* foundIn(
  pages: AsyncIterable<readonly InstanceRow[]> | Iterable<readonly InstanceRow[]>,
  known: ReadonlyMap<string, DialectFacts>,
  { query: { instanceName, instanceId, number } }: DialectCall,
): AsyncGenerator<readonly Found[]> {
  // Bound: 100, a number in a query.
  const digits = asText(number).replace(/\D/g, '')
  let isFound = false
  for await (const rows of pages) {
    const found = rows
      .map((row) => ({ row, facts: known.get(row.id) ?? null }))
      .filter(({ row, facts }) => !instanceName || (facts?.name ?? row.name) === instanceName)
      .filter(({ row }) => (!instanceId || row.id === instanceId) && (digits === '' || row.owner === digits))
    isFound ||= found.length > 0
    for (let from = 0; from < found.length; from += ENTRIES_AT_ONCE) yield found.slice(from, from + ENTRIES_AT_ONCE)
  }
  const isNarrowed = Boolean(instanceName || instanceId || digits)
  if (isFound || !isNarrowed) return
  const message = [`The "${instanceName ?? instanceId ?? digits}" instance does not exist`]
  throw new DialectRefusal('INSTANCE_NOT_FOUND', 404, message)
}

async function instanceEntry({ row, facts }: Found, { context: { ports } }: DialectCall): Promise<Json> {
  const [hooks, proxy] = await Promise.all([ports.webhooks.list(row.id), ports.proxies.find(row.id)])
  const none = { Chatwoot: null, Rabbitmq: null, Nats: null, Sqs: null, Websocket: null }
  return {
    id: row.id,
    name: facts?.name ?? row.name,
    connectionStatus: STATES[row.status],
    ownerJid: row.owner === '' ? null : `${row.owner}@s.whatsapp.net`,
    profileName: row.profileName === '' ? null : row.profileName,
    profilePicUrl: row.profilePicUrl === '' ? null : row.profilePicUrl,
    integration: INTEGRATION,
    number: row.owner === '' ? null : row.owner,
    businessId: null,
    token: facts?.token ?? null,
    clientName: 'posthorn',
    disconnectionReasonCode: null,
    disconnectionObject: row.lastDisconnectReason === '' ? null : row.lastDisconnectReason,
    disconnectionAt: row.lastDisconnect?.toISOString() ?? null,
    createdAt: row.created.toISOString(),
    updatedAt: row.updated.toISOString(),
    ...none,
    Proxy: proxy === null ? null : { enabled: true },
    Webhook: hooks[0] === undefined ? null : toWebhook(hooks[0]),
    Setting: evolutionSettings(facts),
    _count: { Message: 0, Contact: 0, Chat: 0 },
  }
}

function isAboutToken({ details }: GatewayError): boolean {
  return Array.isArray(details) && details.some((one) => (one as { field?: unknown }).field === 'token')
}

function tokenInUse(cause: unknown): DialectRefusal {
  return new DialectRefusal('NAME_TAKEN', 403, ['This token is already in use.'], cause)
}

function done(message: string): Json {
  return { status: 'SUCCESS', error: false, response: { message } }
}
