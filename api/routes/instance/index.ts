import { GatewayError } from '../../../schemas/errors.js'
import type {
  ConnectionHistoryQuery,
  ConnectionHistoryReply,
  CreateKeyReply,
  CreateKeyRequest,
  DeleteKeyReply,
  Instance,
  InstanceHealthReply,
  KeysReply,
  PasskeyConfirmReply,
  PasskeyConfirmRequest,
  PasskeyReply,
  PasskeyResponseReply,
  PasskeyResponseRequest,
  RemoveProxyReply,
  ShowCallSettingsReply,
  ShowLimitsReply,
  UpdateAdminFieldsRequest,
  UpdateDefaultCountryRequest,
  UpdateFieldsMapRequest,
  UpdateInstanceNameRequest,
  UpdateTagsRequest,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress, toChatId } from '../../../schemas/jid.js'
import type { FieldsMap } from '../../../schemas/lead-fields.js'
import { isCountry } from '../../../schemas/phone-number.js'
import { passkeyRecord } from '../../../schemas/session.js'
import { arrayAnswer } from '../../answers/array-answer.js'
import { drawQrCode, instanceRecord, keyRecord, pacingFields } from '../../answers/instance-record.js'
import { Answer, adminRoute, instanceRoute, type Route } from '../../route.js'
import {
  connectInstance,
  disconnectInstance,
  resetInstance,
  showStatus,
  startInstance,
  stopInstance,
} from './connection.js'
import { createInstance, deleteInstance, findInstances, initInstance, rotateToken } from './life.js'
import { setPresence, setPrivacy, showPrivacy } from './privacy.js'
import { setProxy, showProxy, withoutProxy } from './proxy.js'
import { listRequests } from './requests.js'
import {
  setCallSettings,
  showReadingSettings,
  updateChatbotSettings,
  updateDelaySettings,
  updateReadingSettings,
} from './settings.js'

const showHealth = instanceRoute({
  method: 'GET',
  path: '/instance/health',
  name: 'showHealth',
  area: 'Instance',
  scope: 'read',
  summary: 'Show the health of an instance',
  schema: 'instance/health.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<InstanceHealthReply> {
    const { live, seen, queue, limits, pacing, node } = await ports.router.ask(instance.id, { type: 'health' })
    const at = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString())
    const { pending, status, processingNow } = queue
    const { can_send_new_messages, error_key, reachout_timelock, new_chat_message_capping } = limits
    return {
      status: live.status,
      state: live.state,
      desiredState: instance.desiredConnected ? 'connected' : 'disconnected',
      cause: seen.cause,
      reason: live.reason,
      since: new Date(seen.sinceMs).toISOString(),
      lastReceivedAt: at(live.health?.lastReceivedAtMs ?? null),
      lastInboundAt: at(seen.lastInboundAtMs),
      lastAckAt: at(seen.lastAckAtMs),
      lastDecryptErrorAt: at(seen.lastDecryptErrorAtMs),
      unacknowledged: live.health?.unacknowledged ?? 0,
      held: live.health?.held ?? 0,
      queue: { status, pending, processingNow },
      limits: { can_send_new_messages, error_key, reachout_timelock, new_chat_message_capping },
      ...pacingFields(pacing),
      node,
    }
  },
})

/** Maximum length of the signed challenge, as JSON. */
const ASSERTION_MAX = 65_536

const answerPasskey = instanceRoute<PasskeyResponseRequest>({
  method: 'POST',
  path: '/instance/passkey/response',
  name: 'answerPasskey',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  audited: true,
  summary: 'Send the signed challenge of a pairing with a passkey',
  schema: 'instance/passkey-response.json',
  errors: [
    'PASSKEY_NOT_AWAITED',
    'PAIRING_FAILED',
    'INSTANCE_NOT_CONNECTED',
    'OUTCOME_UNKNOWN',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance, body }, { ports }): Promise<PasskeyResponseReply> {
    const { compareCode = false, ...assertion } = body
    if (JSON.stringify(assertion).length > ASSERTION_MAX)
      throw invalidField('response', `makes the signed challenge longer than ${ASSERTION_MAX} characters of JSON`)
    return {
      passkey: passkeyRecord(await ports.router.ask(instance.id, { type: 'passkey.answer', assertion, compareCode })),
    }
  },
})

const createKey = instanceRoute<CreateKeyRequest>({
  method: 'POST',
  path: '/instance/keys',
  name: 'createKey',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary:
    'Make a key: a token that may only read, only send, or only be used for one chat, for some time or until it is deleted',
  schema: 'instance/keys-create.json',
  idempotent: 'kept',
  errors: ['INVALID_NUMBER', 'TOO_MANY_KEYS', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<CreateKeyReply> {
    const { name, scopes, chat, expiresInSeconds: life } = body
    if (scopes.includes('change') && !scopes.includes('send'))
      throw invalidField('scopes', 'must have send in addition to change')
    const { key, token } = await ports.accessKeys.create(instance.id, {
      name,
      scopes,
      chat: chat === undefined ? null : toChatId(parseAddress(chat, 'chat')),
      lifeMs: life === undefined ? null : life * 1_000,
    })
    return { key: keyRecord(key), token }
  },
})

const showLimits = instanceRoute({
  method: 'GET',
  path: '/instance/wa_messages_limits',
  name: 'showLimits',
  area: 'Instance',
  scope: 'read',
  summary: "Show WhatsApp's restrictions of the account",
  schema: 'instance/limits.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<ShowLimitsReply> {
    const reply = await ports.router.ask(instance.id, { type: 'showLimits' })
    const { report, isReachable, checkedAtMs, errors, pacing } = reply
    const { new_chat_message_capping: cap, reachout_timelock: lock, ...rest } = report
    return {
      provider: 'whatsapp',
      reachable: isReachable,
      checked_at: checkedAtMs === null ? null : new Date(checkedAtMs).toISOString(),
      ...rest,
      ...pacingFields(pacing),
      new_chat_message_capping: { ...cap, lookup_error: errors.cap ?? null },
      reachout_timelock: { ...lock, lookup_error: errors.reachout ?? null },
    }
  },
})

const LIMIT_DEFAULT = 50

const listConnectionHistory = instanceRoute<undefined, ConnectionHistoryQuery>({
  method: 'GET',
  path: '/instance/connections',
  name: 'listConnectionHistory',
  area: 'Instance',
  scope: 'read',
  summary: "List the changes of an instance's connection, newest first",
  schema: 'instance/connections.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ instance, query }, { ports }): Promise<ConnectionHistoryReply> {
    const entries = await ports.instances.connections(instance.id, query.limit ?? LIMIT_DEFAULT)
    const connections = entries.map(({ at, status, state, cause, code, reason, node }) => ({
      at: at.toISOString(),
      status,
      state,
      cause: cause === '' ? null : cause,
      code: code === 0 ? null : code,
      reason: reason === '' ? null : reason,
      node,
    }))
    return { connections }
  },
})

const showQrCode = instanceRoute({
  method: 'GET',
  path: '/instance/qr.png',
  name: 'showQrCode',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  summary: 'Show the QR code as a picture, while pairing',
  tokenInQuery: true,
  produces: 'image/png',
  errors: ['NOT_FOUND', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }) {
    const { qrcodeText, status } = await ports.router.ask(instance.id, { type: 'status' })
    if (qrcodeText === null) {
      throw new GatewayError('NOT_FOUND', {
        message: `There is no QR code at present: the instance is ${status}.`,
        fields: { status },
      })
    }
    return new Answer({ type: 'image/png', body: await drawQrCode(qrcodeText) })
  },
})

const confirmPasskey = instanceRoute<PasskeyConfirmRequest>({
  method: 'POST',
  path: '/instance/passkey/confirm',
  name: 'confirmPasskey',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  audited: true,
  summary: 'Confirm that the phone shows the same code, in a pairing with a passkey',
  schema: 'instance/passkey-confirm.json',
  errors: [
    'PASSKEY_NOT_AWAITED',
    'PAIRING_FAILED',
    'INSTANCE_NOT_CONNECTED',
    'OUTCOME_UNKNOWN',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance }, { ports }): Promise<PasskeyConfirmReply> {
    return { passkey: passkeyRecord(await ports.router.ask(instance.id, { type: 'passkey.confirm' })) }
  },
})

const updateTags = adminRoute<UpdateTagsRequest>({
  method: 'POST',
  path: '/instance/updateTags',
  name: 'updateTags',
  area: 'Administration',
  summary: 'Set, add or remove tags of an instance',
  schema: 'instance/update-tags.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ body: { id, tags, add, remove }, note }, { ports, options }): Promise<Instance> {
    note.subject = id
    const isChange = add !== undefined || remove !== undefined
    if ((tags !== undefined) === isChange)
      throw new GatewayError('INVALID_REQUEST', {
        message: 'Invalid request: give either tags, or add and remove.',
        details: [{ field: 'tags', why: isChange ? 'cannot be given with add or remove' : 'is missing' }],
      })
    return instanceRecord(await ports.instances.changeTags(id as InstanceId, { tags, add, remove }), options)
  },
})

const updateAdminFields = adminRoute<UpdateAdminFieldsRequest>({
  method: 'POST',
  path: '/instance/updateAdminFields',
  name: 'updateAdminFields',
  area: 'Administration',
  summary: 'Write the notes of the administrator about an instance',
  schema: 'instance/update-admin-fields.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ body: { id, adminField01, adminField02 }, note }, { ports, options }): Promise<Instance> {
    note.subject = id
    const row = await ports.instances.setAdminFields(id as InstanceId, {
      ...(adminField01 === undefined ? {} : { adminField01 }),
      ...(adminField02 === undefined ? {} : { adminField02 }),
    })
    if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return instanceRecord(row, options)
  },
})

const updateDefaultCountry = instanceRoute<UpdateDefaultCountryRequest>({
  method: 'POST',
  path: '/instance/updateDefaultCountry',
  name: 'updateDefaultCountry',
  area: 'Instance',
  scope: 'token',
  summary: 'Choose the country whose national numbers are taken',
  schema: 'instance/update-default-country.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports, options }): Promise<Instance> {
    const country = body.defaultCountry.trim().toUpperCase()
    if (country !== '' && !isCountry(country))
      throw invalidField('defaultCountry', 'must be an ISO 3166 code of two letters, such as BR, or empty')
    return instanceRecord(await ports.instances.setDefaultCountry(instance.id, country), options)
  },
})

const updateFieldsMap = instanceRoute<UpdateFieldsMapRequest>({
  method: 'POST',
  path: '/instance/updateFieldsMap',
  name: 'updateFieldsMap',
  area: 'Instance',
  scope: 'token',
  summary: 'Give custom lead fields names',
  schema: 'instance/update-fields-map.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports, options }): Promise<Instance> {
    return instanceRecord(await ports.instances.setFieldsMap(instance.id, body as FieldsMap), options)
  },
})

const removeProxy = instanceRoute({
  method: 'DELETE',
  path: '/instance/proxy',
  name: 'removeProxy',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Remove the proxy of the account, which is connected without one from then on',
  schema: 'instance/proxy-remove.json',
  errors: ['INSTANCE_EXPORTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }): Promise<RemoveProxyReply> {
    return await withoutProxy(ports, instance.id)
  },
})

const showPasskey = instanceRoute({
  method: 'GET',
  path: '/instance/passkey',
  name: 'showPasskey',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  summary: 'Show the challenge of a pairing for which WhatsApp asks for a passkey, and what to do',
  schema: 'instance/passkey.json',
  errors: ['INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }): Promise<PasskeyReply> {
    return { passkey: passkeyRecord(await ports.router.ask(instance.id, { type: 'passkey' })) }
  },
})

const deleteKey = instanceRoute({
  method: 'DELETE',
  path: '/instance/keys/:id',
  name: 'deleteKey',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Delete a key, on every node at once',
  schema: 'instance/keys-delete.json',
  errors: ['KEY_NOT_FOUND'],
  async handle({ instance, params }, { ports }): Promise<DeleteKeyReply> {
    await ports.accessKeys.revoke(instance.id, params.id ?? '')
    return { response: 'Key deleted' }
  },
})

const updateInstanceName = instanceRoute<UpdateInstanceNameRequest>({
  method: 'POST',
  path: '/instance/updateInstanceName',
  name: 'updateInstanceName',
  area: 'Instance',
  scope: 'token',
  summary: 'Give the instance another name',
  schema: 'instance/update-instance-name.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports, options }): Promise<Instance> {
    return instanceRecord(await ports.instances.rename(instance.id, body.name), options)
  },
})

const listKeys = instanceRoute({
  method: 'GET',
  path: '/instance/keys',
  name: 'listKeys',
  area: 'Instance',
  scope: 'token',
  summary: 'List the keys of the instance, without their secrets',
  schema: 'instance/keys-list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<KeysReply> {
    return { keys: (await ports.accessKeys.list(instance.id)).map(keyRecord) }
  },
})

const listInstances = adminRoute({
  method: 'GET',
  path: '/instance/all',
  isSearch: true,
  name: 'listInstances',
  area: 'Administration',
  summary: 'List all instances',
  schema: 'instance/all.json',
  errors: [],
  async handle(_call, { ports, options }): Promise<Answer> {
    return await arrayAnswer(ports.instances.all(), (rows) =>
      Promise.all(rows.map((row) => instanceRecord(row, options))),
    )
  },
})

const showCallSettings = instanceRoute({
  method: 'GET',
  path: '/instance/callsettings',
  name: 'showCallSettings',
  area: 'Instance',
  scope: 'token',
  summary: 'Show the calls that the gateway rejects by itself',
  schema: 'instance/call-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<ShowCallSettingsReply> {
    return await ports.router.ask(instance.id, { type: 'showCallSettings' })
  },
})

/** Routes of the area, in the order of the documentation. */
export const instanceRoutes: readonly Route[] = [
  initInstance,
  createInstance,
  listInstances,
  findInstances,
  updateAdminFields,
  updateTags,
  connectInstance,
  showStatus,
  showHealth,
  listConnectionHistory,
  listRequests,
  showLimits,
  showQrCode,
  showPasskey,
  answerPasskey,
  confirmPasskey,
  setPresence,
  stopInstance,
  startInstance,
  disconnectInstance,
  resetInstance,
  deleteInstance,
  showProxy,
  setProxy,
  removeProxy,
  rotateToken,
  createKey,
  listKeys,
  deleteKey,
  updateInstanceName,
  updateDelaySettings,
  updateDefaultCountry,
  updateFieldsMap,
  showPrivacy,
  setPrivacy,
  showCallSettings,
  setCallSettings,
  showReadingSettings,
  updateReadingSettings,
  updateChatbotSettings,
]
