/**
 * Pairing, sends, receives, groups and a restart of one account, while the network demands, withholds or refuses something. What arrived
 * is counted on the phones and at the webhook receiver.
 */
import assert from 'node:assert/strict'
import { builtInVersion } from '../../actors/network/baileys/built-in-version.js'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { doubled, missing } from './tally.js'
import { startTraffic, type Traffic } from './traffic.js'

type Json = Record<string, unknown>

/** Faults of the network for the account. */
export const NETWORK_FAULTS = ['passkey', 'presence', 'limits', 'version'] as const
export type NetworkFault = (typeof NETWORK_FAULTS)[number]

export interface CoreSubsetOptions {
  readonly faults: readonly NetworkFault[]
  /** Draws the way of each pairing, the kind of restart and the order of what happens. */
  readonly random: () => number
  /** Standing faults of the sandbox for the account beside the traffic (`sandbox/README.md`). */
  readonly rules?: readonly Json[]
  /** Pause of each traffic between two texts. */
  readonly everyMs?: number
}

const [ANA, BEN, KIM, EVE, DAN] = ['15550880001', '15550880002', '15550880003', '15550880004', '15550880005'] as const
/** Direct texts that are taken between two happenings, alone and in the group each. */
const TEXTS_BETWEEN = 5

interface Scene {
  readonly world: World
  readonly receiver: Receiver
  readonly ana: TestInstance
  readonly options: CoreSubsetOptions
}

export async function coreSubsetWorks(t: Cleanup, options: CoreSubsetOptions): Promise<void> {
  const { faults, random, rules = [], everyMs = 120 } = options
  const world = await startWorld(t, {
    WA_PASSKEY_PAIRING: 'true',
    RECONNECT_DELAY_MAX_MS: '500',
    SEND_ACK_TIMEOUT_MS: '3000',
    WEBHOOK_BACKOFF_MIN_MS: '50',
    WEBHOOK_BACKOFF_MAX_MS: '500',
    LIMITS_CHECK_MS: '0',
  })
  const receiver = await startReceiver(t)
  for (const phone of [BEN, KIM, EVE]) await world.phone(phone)
  if (faults.includes('presence')) await world.network('POST', '/faults', { kind: 'presence-withheld' })
  const ana = await pair(world, ANA, options)
  await ana.hook(receiver.url)
  const scene: Scene = { world, receiver, ana, options }
  for (const phone of [BEN, KIM]) await isKnown(scene, phone)
  const { JID: group } = await ana.done<{ JID: string }>('/group/create', { name: 'Choir', participants: [BEN, KIM] })

  for (const rule of rules) await world.network('POST', '/faults', { ...rule, phone: ANA })
  const traffics = [
    startTraffic(t, world, ana, { peer: BEN, receiver, label: 'alone', everyMs }),
    startTraffic(t, world, ana, { peer: BEN, receiver, label: 'group', everyMs, group }),
  ]
  for (const happening of shuffled(happenings(scene), random)) {
    await happening()
    for (const traffic of traffics) await traffic.goesOn(TEXTS_BETWEEN)
  }
  for (const traffic of traffics) await traffic.stop()
  // A queue that the network answers late has much to catch up.
  for (const traffic of traffics) await traffic.hasArrived(120_000)
  await hasArrivedAtMember(scene, traffics[1] as Traffic)
  assert.deepEqual(await leftOver(ana), [], 'sends that the phones have, but not as sent')

  // An account that comes later meets the same network.
  const dan = await pair(world, DAN, options)
  const { messageid } = await dan.text(ANA, 'paired later')
  await world.shownAt(ANA, messageid)
}

function happenings(scene: Scene): (() => Promise<void>)[] {
  const { faults } = scene.options
  return [
    () => restart(scene),
    ...(faults.includes('presence') ? [() => presenceStaysUnknown(scene)] : []),
    ...(faults.includes('limits') ? [() => strangerIsRefused(scene)] : []),
    ...(faults.includes('version') ? [() => versionIsRefused(scene)] : []),
  ]
}

/** Pairs a new phone by QR or by code, with its passkey if the network demands one. */
async function pair(world: World, number: string, { faults, random }: CoreSubsetOptions): Promise<TestInstance> {
  const passkey = faults.includes('passkey')
  await world.phone(number, `phone ${number}`, { passkey, refreshOnScan: random() < 0.5 })
  const instance = await world.instance(number, number)
  const byCode = random() < 0.5
  const { instance: shown } = await instance.done<{ instance: Json }>(
    '/instance/connect',
    byCode ? { phone: number } : {},
  )
  if (byCode) await world.network('POST', `/phones/${number}/code`, { code: shown.paircode })
  else await scan(world, instance, String(shown.qrcodeText))
  if (passkey) await sign(world, instance)
  await instance.connected()
  return instance
}

/** Scans once more if the network retires the secret of the first scan. */
async function scan(world: World, instance: TestInstance, qr: string): Promise<void> {
  const path = `/phones/${instance.number}/scan`
  if ((await world.network('POST', path, { qr })).status !== 'refresh') return
  const next = await eventually(
    async () => String((await instance.status()).instance.qrcodeText),
    (text) => text !== '' && text !== qr,
  )
  await world.network('POST', path, { qr: next })
}

async function sign(world: World, instance: TestInstance): Promise<void> {
  const look = async () => (await instance.call<{ passkey: Json }>('GET', '/instance/passkey')).body.passkey
  const { publicKey } = await eventually(look, ({ state }) => state === 'needs_passkey')
  const signed = await world.network('POST', `/phones/${instance.number}/passkey/sign`, publicKey)
  await instance.done('/instance/passkey/response', signed)
}

/** Lets a phone write first, so that a restricted account may write to it. */
async function isKnown({ world, ana }: Scene, phone: string): Promise<void> {
  const id = await world.write(phone, ANA, 'I write first')
  await eventually(async () => (await ana.messages({ id })).length === 1)
}

async function restart({ world, options, ana }: Scene): Promise<void> {
  await world.gateway.kill(options.random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
  await world.gateway.start()
  await ana.connected()
}

/** Asks for a presence that never comes. The account is available meanwhile, since others tell nothing to an unavailable one. */
async function presenceStaysUnknown({ ana }: Scene): Promise<void> {
  await ana.done('/instance/presence', { presence: 'available' })
  const { body } = await eventually(
    () => ana.call('GET', `/contact/presence/${BEN}`),
    ({ status }) => status === 200,
  )
  assert.deepEqual([body.presence, body.knownAt], ['unknown', null])
  await sendUntilTaken(ana, { number: BEN, text: 'after some typing', delay: 300 })
}

/**
 * Restricts the account: people who never wrote get nothing, all others everything. Direct sends to the former are refused for good, queued
 * ones wait, and leave after the end.
 */
async function strangerIsRefused({ world, ana, options }: Scene): Promise<void> {
  const restrict = (body: Json) => world.network('POST', `/phones/${ANA}/limits`, { ...body, tell: true })
  const lock = { is_active: true, time_enforcement_ends: '0', enforcement_type: 'RESTRICT_ALL_COMPANIONS' }
  const cap = { total_quota: '10', used_quota: '10', capping_status: 'CAPPED' }
  await restrict(options.random() < 0.5 ? { lock } : { cap })
  const send = () => ana.call('POST', '/send/text', { number: EVE, text: 'refused' }, { 'idempotency-key': 'eve' })
  // A busy network answers after the wait of the call, which then is 200 with `pending`.
  const refused = await eventually(send, ({ status, body }) => status !== 503 && body.status !== 'pending')
  assert.deepEqual([refused.status, refused.body.code, refused.body.provider_code], [502, 'SEND_REFUSED', 463])
  await sendUntilTaken(ana, { number: EVE, text: 'waits', async: true })
  await restrict({ lock: null, cap: null })
  assert.equal((await send()).status, 502)
  await sendUntilTaken(ana, { number: EVE, text: 'taken' })
  const texts = async () => {
    const all = await world.network<{ text: string }[]>('GET', `/phones/${EVE}/messages?own=false`)
    return all.map(readText).toSorted()
  }
  assert.deepEqual(await eventually(texts, (all) => all.length > 1, 60_000), ['taken', 'waits'])
}

/** Repeats a send under one key while the instance is not connected. */
async function sendUntilTaken(ana: TestInstance, body: Json): Promise<Json> {
  const headers = { 'idempotency-key': Object.values(body).join('-').replaceAll(' ', '-') }
  const send = () => ana.call('POST', '/send/text', body, headers)
  return (await eventually(send, ({ status }) => ![409, 503, 504].includes(status))).body
}

/** Refuses the version of the client amid the traffic. The gateway finds the present one by itself, and keeps it. */
async function versionIsRefused({ world, ana }: Scene): Promise<void> {
  const minimum = builtInVersion[2] + 1_000
  await world.network('POST', '/client-version', { minimum, current: minimum + 500 })
  await world.network('POST', '/faults/stream-error', { code: 503 })
  const { seen } = await eventually(
    () => world.network<{ seen: { revision: number; isTaken: boolean }[] }>('GET', '/client-version'),
    (now) => now.seen.at(-1)?.revision === minimum + 500,
  )
  assert.ok(seen.some(({ isTaken }) => !isTaken))
  await ana.connected()
}

/** Counts the texts of the group at the member that writes nothing. */
async function hasArrivedAtMember({ world }: Scene, traffic: Traffic): Promise<void> {
  const expected = traffic.taken()
  const look = async () => {
    const all = await world.network<{ text: string }[]>('GET', `/phones/${KIM}/messages`)
    return all.map(readText).filter((text) => text.startsWith(`${BEN} group `))
  }
  const found = await eventually(look, (texts) => missing(expected, texts) === 0)
  assert.deepEqual(doubled(found), [], 'doubled at the other member')
  assert.deepEqual(await world.network('GET', `/phones/${KIM}/failures`), [])
}

/** Returns the sends that are neither sent nor, as they must be, failed. */
async function leftOver(ana: TestInstance): Promise<Json[]> {
  const look = async () => {
    const pages = await Promise.all([0, 500].map((offset) => ana.messages({ limit: 500, offset })))
    return pages
      .flat()
      .filter(({ fromMe, text, status }) => fromMe === true && !isRightStatus(String(text), String(status)))
      .map(({ text, status }) => ({ text, status }))
  }
  return await eventually(look, (left) => left.length === 0).catch(look)
}

function isRightStatus(text: string, status: string): boolean {
  return text === 'refused' ? status === 'failed' : ['sent', 'delivered', 'read'].includes(status)
}

function readText({ text }: { readonly text: string }): string {
  return text
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const drawn = all.map((one) => ({ one, at: random() }))
  return drawn.sort((a, b) => a.at - b.at).map(({ one }) => one)
}
