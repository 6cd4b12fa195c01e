/** Queries of the GraphQL service, by the number under which the network knows each. */
import { bytes, child, type Node, node, nowSeconds } from '../wire/nodes.js'
import { CATEGORIES } from './business.js'
import { channelQueries, checkVariables } from './channels.js'
import { IqError } from './iq-error.js'
import type { Account, Session } from './model.js'
import type { Network } from './network.js'

type Variables = Readonly<Record<string, unknown>>
type Query = (network: Network, session: Session, variables: Variables) => Readonly<Record<string, unknown>>

const ABOUT_MAX = 139

const queries: Readonly<Record<string, Query>> = {
  ...channelQueries,
  '9152604461510864': updateTextStatus,
  '23983697327930364': (_network, { device }) => ({ xwa2_fetch_account_reachout_timelock: findLock(device.account) }),
  '24503548349331633': (_network, { device }) => ({ xwa2_message_capping_info: findCap(device.account) }),
  '25347099718279209': ownUsername,
  '26266473919627648': businessCategories,
}

/** A refusal is an answer too: JSON with `errors` in place of `data`. An unknown number is refused as the real network does, without a reason. */
export function handleMex(network: Network, session: Session, iq: Node): Node[] {
  const asked = child(iq, 'query')
  const number = asked?.attrs.query_id ?? ''
  const answer = (value: unknown) => [node('result', {}, Buffer.from(JSON.stringify(value)))]
  try {
    const code = network.faults.mexRefusal(session.device, number)
    if (code !== undefined) throw new IqError(code, 'refused')
    const { variables } = JSON.parse(bytes(asked).toString('utf8')) as { variables?: Variables }
    const query = queries[number]
    if (query === undefined || variables === undefined) throw new IqError(400, 'Bad Request')
    checkVariables(number, variables)
    return answer({ data: query(network, session, variables) })
  } catch (error) {
    const { code, text } = error instanceof IqError ? error : new IqError(400, 'Bad Request')
    const extensions = { error_code: code, is_retryable: false, severity: 'CRITICAL' }
    return answer({ data: null, errors: [{ message: text, extensions }] })
  }
}

function updateTextStatus(_network: Network, { device }: Session, { input }: Variables) {
  const { text, emoji, ephemeral_duration_sec: seconds } = (input ?? {}) as Variables
  const isText = text === null || (typeof text === 'string' && text.length > 0 && text.length <= ABOUT_MAX)
  if (!isText || typeof emoji !== 'object' || typeof seconds !== 'number') throw new IqError(400, 'Bad Request')
  device.account.about = text ?? ''
  return { xwa2_update_text_status: { text } }
}

function ownUsername(_network: Network, { device }: Session) {
  const { username, usernameKey } = device.account
  if (username === '') throw new IqError(404, 'Not Found')
  const pin = usernameKey === '' ? null : usernameKey
  return { xwa2_username_get: { username_info: { username, state: 'SET', pin } } }
}

function businessCategories() {
  const categories = CATEGORIES.map(({ id, name }) => ({ id, localized_display_name: name, is_ranked: true }))
  return { xwa2_biz_categories: { categories: { edges: categories.map((each) => ({ node: each })) } } }
}

const NO_LOCK = { is_active: false, time_enforcement_ends: '0', enforcement_type: 'DEFAULT' }

function findLock({ reachoutLock }: Account) {
  return reachoutLock ?? NO_LOCK
}

function findCap({ newChatCap }: Account) {
  return (
    newChatCap ?? {
      total_quota: '-1',
      used_quota: '0',
      capping_status: 'NONE',
      ote_status: 'NOT_ELIGIBLE',
      mv_status: 'NOT_ELIGIBLE',
    }
  )
}

/** Begins, changes or ends the lock or the cap of an account. `isTold`: the companions hear of it at once. */
export function restrict(
  network: Network,
  account: Account,
  {
    lock,
    cap,
    isCounted,
    isTold,
  }: {
    readonly lock?: Variables | null
    readonly cap?: Variables | null
    /** The network counts new chats and warns by itself. */
    readonly isCounted?: boolean
    readonly isTold: boolean
  },
): void {
  if (lock !== undefined) account.reachoutLock = lock
  if (cap !== undefined) {
    account.newChatCap = cap
    account.countsNewChats = isCounted ?? false
  }
  if (!isTold) return
  if (lock !== undefined)
    tell(network, account, 'NotificationUserReachoutTimelockUpdate', {
      xwa2_notify_account_reachout_timelock: findLock(account),
    })
  if (cap !== undefined)
    tell(network, account, 'MessageCappingInfoNotification', {
      xwa2_notify_new_chat_messages_capping_info_update: findCap(account),
    })
}

/** Sets or removes (empty) the username of an account. Its companions and those who know the account hear of it. */
export function setUsername(network: Network, account: Account, username: string, key: string): void {
  account.username = username
  account.usernameKey = key
  const lid = account.jid('lid')
  tell(network, account, 'AccountSyncUsernameNotification', {
    xwa2_notify_wa_user: {
      lid_jid: lid,
      username_info: username === '' ? null : { username, state: 'SET', pin: null },
    },
  })
  for (const other of account.acquaintances)
    if (username === '')
      tell(network, other, 'UsernameDeleteNotification', {
        xwa2_notify_username_delete: { lid, display_name: account.name },
      })
    else tell(network, other, 'UsernameSetNotification', { xwa2_notify_username_on_change: { lid, username } })
}

function tell(network: Network, account: Account, operation: string, data: Variables): void {
  for (const device of account.devices.values()) {
    if (device.id === 0) continue
    const attributes = { from: 's.whatsapp.net', type: 'mex', id: network.makeId(), t: nowSeconds() }
    const update = node('update', { op_name: operation }, Buffer.from(JSON.stringify({ data })))
    network.deliver(device, node('notification', attributes, [update]))
  }
}

/** Parts of the quota from which the network warns. */
const STAGES = [
  { from: 1, status: 'CAPPED' },
  { from: 0.8, status: 'SECOND_WARNING' },
  { from: 0.5, status: 'FIRST_WARNING' },
] as const

/** Counts a message to a person who never wrote. At each stage of the quota the companions hear of it. */
export function countNewChat(network: Network, account: Account): void {
  const { newChatCap: cap } = account
  if (!account.countsNewChats || cap === null) return
  const used = Number(cap.used_quota ?? 0) + 1
  const status = STAGES.find(({ from }) => used >= Number(cap.total_quota) * from)?.status ?? 'NONE'
  const changed = { ...cap, used_quota: String(used), capping_status: status }
  restrict(network, account, { cap: changed, isCounted: true, isTold: status !== cap.capping_status })
}

/** True if the account may not begin a chat now. */
export function mayNotBeginChats({ reachoutLock, newChatCap }: Account): boolean {
  const endsMs = Number(reachoutLock?.time_enforcement_ends ?? 0) * 1_000
  const isLocked = reachoutLock?.is_active === true && (endsMs === 0 || endsMs > Date.now())
  return isLocked || newChatCap?.capping_status === 'CAPPED'
}
