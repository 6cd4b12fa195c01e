import { GatewayError } from '../../../schemas/errors.js'
import type {
  ConnectReply,
  ConnectRequest,
  DisconnectReply,
  DisconnectRequest,
  ResetReply,
  ResetRequest,
  StartInstanceReply,
  StartInstanceRequest,
  StatusReply,
  StopInstanceReply,
  StopInstanceRequest,
} from '../../../schemas/generated.js'
import { parseNumber } from '../../../schemas/jid.js'
import type { LiveStatus } from '../../../schemas/session.js'
import { progressRecord } from '../../../schemas/session.js'
import { instanceRecord, recordFor } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'
import { parseInUseSince } from './settings.js'

export const stopInstance = instanceRoute<StopInstanceRequest>({
  method: 'POST',
  path: '/instance/stop',
  name: 'stopInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Stop the instance and keep its pairing; nothing but a start connects it again',
  schema: 'instance/stop.json',
  errors: ['INSTANCE_NOT_PAIRED', 'INSTANCE_EXPORTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports, options }): Promise<StopInstanceReply> {
    // Stores the wish before the connection ends, so that no node connects the instance in between.
    await ports.instances.stop(instance.id)
    const live = await ports.router.ask(instance.id, { type: 'stopInstance' })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    return {
      instance: await instanceRecord(row, options, live),
      response: 'Stopped',
      info: 'The phone stays linked. POST /instance/start connects the instance again.',
    }
  },
})

export const startInstance = instanceRoute<StartInstanceRequest>({
  method: 'POST',
  path: '/instance/start',
  name: 'startInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Connect an instance that was stopped, with its pairing',
  schema: 'instance/start.json',
  errors: [
    'INSTANCE_NOT_PAIRED',
    'INSTANCE_EXPORTED',
    'INSTANCE_LIMIT',
    'NETWORK_UNREACHABLE',
    'PROXY_FAILED',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance }, { ports, options }): Promise<StartInstanceReply> {
    if (instance.owner === '') throw new GatewayError('INSTANCE_NOT_PAIRED')
    await ports.instances.setDesired(instance.id, true)
    const live = await ports.router.ask(instance.id, { type: 'startInstance', waitMs: options.connectWaitMs })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    const { connected, loggedIn, jid } = live
    return { connected, loggedIn, jid, instance: await instanceRecord(row, options, live) }
  },
})

function traffic(health: NonNullable<LiveStatus['health']>): NonNullable<StatusReply['status']['traffic']> {
  const at = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString())
  return {
    lastReceivedAt: at(health.lastReceivedAtMs) ?? '',
    lastMessageAt: at(health.lastMessageAtMs),
    lastAckAt: at(health.lastAckAtMs),
    unacknowledged: health.unacknowledged,
    held: health.held,
  }
}

export const showStatus = instanceRoute({
  method: 'GET',
  path: '/instance/status',
  name: 'showStatus',
  area: 'Instance',
  scope: 'any',
  pairs: true,
  summary: 'Show the state of the instance, with its QR or pairing code while pairing',
  schema: 'instance/status.json',
  errors: ['INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, key }, { ports, options }): Promise<StatusReply> {
    const told = await ports.router.ask(instance.id, { type: 'status' })
    // Everyone with the code can connect a phone of their own to the instance.
    const live = key === null || key.onlyPairs === true ? told : { ...told, qrcodeText: null, paircode: null }
    const { connected, loggedIn, jid, health, state, progress } = live
    const shown = progressRecord(state, progress)
    return {
      instance: recordFor(key, await instanceRecord(instance, options, live)),
      status: { connected, loggedIn, jid, ...shown, traffic: health === null ? null : traffic(health) },
    }
  },
})

export const disconnectInstance = instanceRoute<DisconnectRequest>({
  method: 'POST',
  path: '/instance/disconnect',
  name: 'disconnectInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'End the session of the instance; it must be paired again to connect',
  schema: 'instance/disconnect.json',
  errors: ['INSTANCE_EXPORTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports, options }): Promise<DisconnectReply> {
    await ports.instances.setDesired(instance.id, false)
    const live = await ports.router.ask(instance.id, { type: 'disconnect' })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    return {
      instance: await instanceRecord(row, options, live),
      response: 'Disconnected',
      info: 'The session has ended. POST /instance/connect pairs the instance again.',
    }
  },
})

export const resetInstance = instanceRoute<ResetRequest>({
  method: 'POST',
  path: '/instance/reset',
  name: 'resetInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Close the connection and open it again, with the same pairing',
  schema: 'instance/reset.json',
  errors: ['INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }): Promise<ResetReply> {
    const live = await ports.router.ask(instance.id, { type: 'reset' })
    return {
      response: 'Reset accepted',
      resetting: live.status === 'connecting',
      instanceId: instance.id,
      queuedRecoveryAttempted: false,
    }
  },
})

export const connectInstance = instanceRoute<ConnectRequest>({
  method: 'POST',
  path: '/instance/connect',
  name: 'connectInstance',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  audited: true,
  summary: 'Connect the instance; when it is not paired, answers with a QR code, or with a pairing code for a `phone`',
  schema: 'instance/connect.json',
  errors: [
    'INVALID_NUMBER',
    'NOT_SUPPORTED',
    'INSTANCE_LIMIT',
    'PAIRING_LIMIT',
    'INSTANCE_EXPORTED',
    'PAIRING_FAILED',
    'NETWORK_UNREACHABLE',
    'PROXY_FAILED',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance, key, body }, { ports, options }): Promise<ConnectReply> {
    const { browser, number_in_use_since: since } = body
    const inUseSinceMs = since === undefined ? undefined : parseInUseSince(since)
    const phone = readPhone(body.phone)
    // Stores the wish before the attempt, so that the owner connects the instance even if this node ends.
    await ports.instances.setDesired(instance.id, true)
    const live = await ports.router.ask(instance.id, {
      type: 'connect',
      waitMs: options.connectWaitMs,
      ...(phone === undefined ? {} : { phone }),
      ...(browser === undefined ? {} : { browser }),
      ...(inUseSinceMs === undefined ? {} : { inUseSinceMs }),
    })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    const { connected, loggedIn, jid } = live
    return { connected, loggedIn, jid, instance: recordFor(key, await instanceRecord(row, options, live)) }
  },
})

/** Returns the digits of the number; undefined for a QR code. @throws GatewayError INVALID_NUMBER */
function readPhone(given: string | undefined): string | undefined {
  if (given === undefined || given.trim() === '') return undefined
  const digits = parseNumber(given, 'phone')
  if (digits.length >= 10) return digits
  const why = 'must be a phone number with country code, 10 to 15 digits'
  throw new GatewayError('INVALID_NUMBER', { message: `Invalid phone: it ${why}.`, details: [{ field: 'phone', why }] })
}
