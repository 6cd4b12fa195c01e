import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { InstanceMetric } from '../../actors/instance/ports.js'
import type { DisconnectCause } from '../../actors/network/port/events.js'
import type { LimitKind } from '../../schemas/account-limits.js'
import type { PacingHold, ParkReason } from '../../schemas/pacing.js'
import { createAgentCounters } from './agent-metrics.js'

export interface InstanceMetrics {
  readonly count: (metric: InstanceMetric) => void
  /** Counts a frame to the network that waited until its cause was durable. */
  readonly frameHeld: (heldMs: number) => void
  /** Counts a stanza of a kind that this version does not know. */
  readonly unknownStanza: () => void
  /** Counts a GraphQL query that the network answered with 400, by its name. */
  readonly queryRefused: (name: string) => void
}

export interface InstanceCounts {
  /** Returns the number of instances on this node, by status. */
  counts(): Readonly<Record<'disconnected' | 'connecting' | 'connected', number>>
  /** Returns the number of instances on this node, by restriction of the network. */
  restrictions(): Readonly<Record<LimitKind, number>>
  /** Returns the number of instances whose sends wait, by reason. */
  holds(): Readonly<Partial<Record<PacingHold['kind'], number>>>
  /** Returns the number of parked sends, by reason. */
  parked(): Readonly<Record<ParkReason, number>>
  /** Returns the number of instances whose campaigns wait because the node is busy. */
  braked(): number
}

/** Creates the metrics of the instances of this node. */
export function createInstanceMetrics(registry: Registry, host: InstanceCounts): InstanceMetrics {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_instances',
    help: 'Instances on this node, by status.',
    labelNames: ['status'],
    registers,
    collect() {
      for (const [status, count] of Object.entries(host.counts())) this.set({ status }, count)
    },
  })
  new Gauge({
    name: 'posthorn_limits',
    help: 'Instances on this node whose sends wait, by kind. WhatsApp restricts the account: reachout_timelock, new_chat_message_capping. It refused messages: rate_limit, new_chat_refusals. The new chats of the day are used up: new_chat_budget.',
    labelNames: ['kind'],
    registers,
    collect() {
      const { rate_limit = 0, new_chat_refusals = 0, new_chat_budget = 0 } = host.holds()
      const counts = { ...host.restrictions(), rate_limit, new_chat_refusals, new_chat_budget }
      for (const [kind, count] of Object.entries(counts)) this.set({ kind }, count)
    },
  })
  new Gauge({
    name: 'posthorn_parked_sends',
    help: 'Asynchronous sends and recipients of campaigns on this node that wait because the recipient never wrote, by reason: network_lock, limit, budget.',
    labelNames: ['reason'],
    registers,
    collect() {
      for (const [reason, count] of Object.entries(host.parked())) this.set({ reason }, count)
    },
  })
  new Gauge({
    name: 'posthorn_campaigns_braked',
    help: 'Instances on this node whose campaigns wait for their turn because the event loop of the node is as busy as CAMPAIGN_LOAD_MAX allows.',
    registers,
    collect() {
      this.set(host.braked())
    },
  })
  const gate = new Histogram({
    name: 'posthorn_gate_wait_seconds',
    help: 'How long frames to WhatsApp waited until what caused them was durable, of those that had to wait.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const unknown = new Counter({
    name: 'posthorn_unknown_stanzas_total',
    help: 'Stanzas of WhatsApp of a kind that this version does not know. They were refused; the log names each kind once per connection.',
    registers,
  })
  const refusedQueries = new Counter({
    name: 'posthorn_queries_refused_total',
    help: 'GraphQL queries that WhatsApp answered with 400, by their names in WA_QUERY_IDS. Many of one name: WhatsApp may have retired its number.',
    labelNames: ['query'],
    registers,
  })
  return {
    count: createCounters(registers),
    frameHeld: (heldMs) => gate.observe(heldMs / 1000),
    unknownStanza: () => unknown.inc(),
    queryRefused: (query) => refusedQueries.inc({ query }),
  }
}

function createCounters(registers: Registry[]): InstanceMetrics['count'] {
  const received = new Counter({
    name: 'posthorn_messages_received_total',
    help: 'Messages that WhatsApp brought, our own from other devices included; those of a history sync are not.',
    registers,
  })
  const undecryptable = new Counter({
    name: 'posthorn_messages_undecryptable_total',
    help: 'Messages that could not be decrypted; WhatsApp was asked for them again.',
    registers,
  })
  const absentContent = new Counter({
    name: 'posthorn_messages_without_content_total',
    help: "Messages that came without content, or did not decrypt: asked (the account's phone was asked for the content), came (the content came, from the phone or its sender), given_up (it did not come, or too many messages waited already).",
    labelNames: ['outcome'],
    registers,
  })
  const notUnderstood = new Counter({
    name: 'posthorn_messages_not_understood_total',
    help: 'Decrypted messages with a field that this release does not know, by its number: up to 255, or high. malformed: no message could be parsed; blocked: processes ended themselves over it; empty: it had no field. They are stored as messages of the type other.',
    labelNames: ['field'],
    registers,
  })
  const sends = new Counter({
    name: 'posthorn_sends_total',
    help: "WhatsApp's answers to messages of ours: taken, refused.",
    labelNames: ['outcome'],
    registers,
  })
  const opened = new Counter({
    name: 'posthorn_connections_opened_total',
    help: 'Connections to WhatsApp that were opened, logged in.',
    registers,
  })
  const closed = new Counter({
    name: 'posthorn_connections_closed_total',
    help: 'Connections to WhatsApp that ended, by cause. After asked, stopped, ownershipLost, loggedOut, forbidden, multideviceMismatch, pairingExpired, pairingRefused, passkeyRequired, passkeyExpired, passkeyFailed and instanceLimit none follows by itself; after the others one does.',
    labelNames: ['cause'],
    registers,
  })
  const late = new Histogram({
    name: 'posthorn_scheduled_late_seconds',
    help: 'How long after their time scheduled messages were queued.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
    registers,
  })
  const ofCampaigns = createCampaignCounters(registers)
  // Shows each series from the start, so that its first change is seen too.
  for (const outcome of ['taken', 'refused']) sends.inc({ outcome }, 0)
  for (const outcome of ['asked', 'came', 'given_up']) absentContent.inc({ outcome }, 0)
  for (const cause of causes) closed.inc({ cause }, 0)
  const countAgents = createAgentCounters(registers)
  return (metric) => {
    switch (metric.what) {
      case 'inbound':
        return received.inc()
      case 'undecryptable':
        return undecryptable.inc()
      case 'absentContent':
        return absentContent.inc({ outcome: metric.outcome })
      case 'notUnderstood':
        return notUnderstood.inc({ field: metric.kind })
      case 'opened':
        return opened.inc()
      case 'ack':
        return sends.inc({ outcome: metric.isTaken ? 'taken' : 'refused' })
      case 'scheduledDue':
        return late.observe(Math.max(0, metric.lateMs) / 1000)
      case 'closed':
        return closed.inc({ cause: metric.cause })
      case 'campaign':
      case 'numberCheck':
        return ofCampaigns(metric)
      case 'agentTurn':
      case 'agentModel':
        return countAgents(metric)
      default:
        return metric satisfies never
    }
  }
}

type CampaignMetric = Extract<InstanceMetric, { what: 'campaign' | 'numberCheck' }>

function createCampaignCounters(registers: Registry[]): (metric: CampaignMetric) => void {
  const recipients = new Counter({
    name: 'posthorn_campaign_recipients_total',
    help: 'Recipients of campaigns whose turn came: taken (their message goes to WhatsApp), failed before it, skipped, or parked for a while.',
    labelNames: ['outcome'],
    registers,
  })
  const checks = new Counter({
    name: 'posthorn_number_checks_total',
    help: 'Numbers that campaigns had to know: asked of WhatsApp, cached (known from an earlier answer), or refused for now by NUMBER_CHECKS_PER_DAY or NUMBER_CHECKS_PER_MINUTE.',
    labelNames: ['outcome'],
    registers,
  })
  const campaignLate = new Histogram({
    name: 'posthorn_campaign_late_seconds',
    help: 'How long after their time the turns of campaigns came. The pauses of a campaign do not count.',
    buckets: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60],
    registers,
  })
  const nodeWait = new Histogram({
    name: 'posthorn_campaign_node_wait_seconds',
    help: 'How long the turns of campaigns waited because the node was busy. Part of posthorn_campaign_late_seconds.',
    buckets: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60],
    registers,
  })
  for (const outcome of ['taken', 'failed', 'skipped', 'parked']) recipients.inc({ outcome }, 0)
  for (const outcome of ['asked', 'cached', 'refused']) checks.inc({ outcome }, 0)
  return (metric) => {
    if (metric.what === 'numberCheck') return checks.inc({ outcome: metric.outcome })
    campaignLate.observe(Math.max(0, metric.lateMs) / 1000)
    nodeWait.observe(metric.nodeWaitMs / 1000)
    recipients.inc({ outcome: metric.outcome })
  }
}

const causes = Object.keys({
  restart: 0,
  lost: 0,
  unreachable: 0,
  proxyFailed: 0,
  dead: 0,
  unavailable: 0,
  badSession: 0,
  replaced: 0,
  loggedOut: 0,
  forbidden: 0,
  temporarilyBanned: 0,
  versionRefused: 0,
  clientRefused: 0,
  loginNotFound: 0,
  loginRefused: 0,
  multideviceMismatch: 0,
  pairingExpired: 0,
  pairingRefused: 0,
  passkeyRequired: 0,
  passkeyExpired: 0,
  passkeyFailed: 0,
  instanceLimit: 0,
  storeFailed: 0,
  programError: 0,
  ownershipLost: 0,
  stopped: 0,
  asked: 0,
} satisfies Record<DisconnectCause, 0>)
