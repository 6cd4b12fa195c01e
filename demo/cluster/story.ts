/** The story of a cluster: accounts on several nodes write to each other, a node is killed, and nothing is missing in the end. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Calls, createCalls, until } from '../calls.js'
import { dashboardLink } from '../dashboard-link.js'
import { createInstances, type Instance } from '../instances.js'
import { type DemoReceiver, startReceiver } from '../receiver.js'
import type { Ending, Stage } from '../stage.js'
import { curlLine, silent, type Transcript } from '../transcript.js'
import { countTexts } from './count.js'
import { type DemoCluster, type DemoNode, startNodes } from './nodes.js'
import { type Held, owners } from './owners.js'
import { startWriter, type Writer } from './writer.js'

const NAMES = ['Ana', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn']
const CALM_MS = 3_000
const TAKEN_OVER_WITHIN_MS = 40_000
/** Time without an answer after which a caller counts as waiting. */
const WAITS_FROM_MS = 1_000

export function storyOfNodes(count: number): (stage: Stage) => Promise<Ending> {
  return async (stage) => {
    const { tell, undo } = stage
    tell.note(`Starting a private PostgreSQL and Redis, ${count} gateways on them, and a balancer before these …`)
    const cluster = await startNodes(stage, count)
    for (const line of await dashboardLink(cluster.url, cluster.adminToken)) tell.note(line)
    for (const { name, url, pid } of cluster.nodes) tell.data(name, `process ${pid} on ${url}`)
    tell.note(`Whoever calls, calls ${cluster.url}: the balancer takes any node that is ready, and any node answers.`)
    const receiver = await startReceiver(() => {})
    undo(() => receiver.close())
    const calls = createCalls(cluster.url, stage.controlUrl, tell)

    const instances = await pairAll(stage, calls, cluster, receiver)
    tell.step('Which node holds which account')
    const before = await owners(calls)
    tellOwners(tell, cluster.nodes, instances, before)
    for (const { id, name } of instances.slice(0, 1)) {
      const headers = { admintoken: cluster.adminToken }
      const { node, shard, epoch } = await calls.call('GET', `/admin/instances/${id}/placement`, headers)
      tell.data(`placement of ${name}`, { node, shard, epoch })
    }

    tell.step('They write to each other, numbered, each as soon as the last text was taken')
    const writers = instances.map((from, index) =>
      startWriter(calls, from, instances[(index + 1) % instances.length] ?? from),
    )
    undo(() => void Promise.allSettled(writers.map((writer) => writer.stop())))
    const [first] = writers
    if (first !== undefined) tell.typed(formatLine(calls, first))
    await pause(CALM_MS)
    tellProgress(tell, writers)

    await killOne(tell, calls, cluster, instances, writers)
    await pause(CALM_MS)
    tellProgress(tell, writers)

    tell.step('What came of it')
    await Promise.all(writers.map((writer) => writer.stop()))
    const counted = await countTexts(calls, receiver, writers)
    receiver.checkSignatures()
    tellCalls(tell, writers)
    tell.data('texts', `${counted.texts} taken; each is on its phone once and in order`)
    tell.data('webhooks', `${counted.webhooks} received, all that had to come, in order and signed`)
    if (counted.webhooksRepeated > 0) tell.note(`${counted.webhooksRepeated} of them came again under their event id.`)
    if (counted.arrivedAgain > 0)
      tell.note(`${counted.arrivedAgain} texts came to a phone again under their id, which phones show once.`)
    return {
      summary: `a node was killed, and of ${counted.texts} texts and ${counted.webhooks} webhooks nothing is missing, doubled or out of order.`,
      toPlayWith: [
        ...(await dashboardLink(cluster.url, cluster.adminToken)),
        `The API page:  ${cluster.url}/docs`,
        `Administrator: admintoken: ${cluster.adminToken}`,
        ...instances.map(({ name, token }) => `${name.padEnd(5)}          token: ${token}`),
        'Kill another node yourself: as long as one is left, its accounts are back after some seconds.',
      ],
    }
  }
}

async function pairAll(stage: Stage, calls: Calls, cluster: DemoCluster, receiver: DemoReceiver): Promise<Instance[]> {
  const { tell } = stage
  const { adminToken } = cluster
  tell.step(`${NAMES.length} accounts pair by code, through the balancer`)
  const paired: Instance[] = []
  for (const [index, name] of NAMES.entries()) {
    const phone = `1555000${index + 1}${index + 1}${index + 1}${index + 1}`
    await calls.tellNetwork('POST', '/phones', { phone, name })
    // The first one shows how; the calls of the others are the same.
    const told = index === 0 ? tell : silent
    const shown = createCalls(calls.gateway, stage.controlUrl, told)
    const instances = createInstances({ calls: shown, adminToken, receiver, tell: told })
    const instance = await instances.create(name.toLowerCase(), phone)
    await instances.listen(instance)
    await instances.pairByCode(instance)
    if (index > 0) tell.note(`${name} is connected too, in the same way.`)
    paired.push(instance)
  }
  return paired
}

async function killOne(
  tell: Transcript,
  calls: Calls,
  { nodes }: DemoCluster,
  instances: readonly Instance[],
  writers: readonly Writer[],
): Promise<void> {
  const before = await owners(calls)
  const heldBy = (node: DemoNode): Instance[] => instances.filter(({ phone }) => before.get(phone)?.node === node.name)
  const victim = nodes.toSorted((one, other) => heldBy(other).length - heldBy(one).length)[0]
  if (victim === undefined) throw new Error('There is no node to kill.')
  const held = heldBy(victim)
  tell.step(`${victim.name} is killed, in the middle of it`)
  tell.typed(`kill -9 ${victim.pid}`)
  const killedAtMs = Date.now()
  await victim.kill()
  const progress = setInterval(() => tellProgress(tell, writers), 1_000)
  const after = await until(
    `owner of ${held.map(({ name }) => name).join(' and ')} among the other nodes`,
    () => owners(calls),
    (now) => held.every(({ phone }) => (now.get(phone)?.node ?? victim.name) !== victim.name),
    TAKEN_OVER_WITHIN_MS,
  ).finally(() => clearInterval(progress))
  for (const { name, phone } of held) {
    const { node, sinceMs } = after.get(phone) as Held
    tell.data(name, `went from ${victim.name} to ${node}, and was away for ${seconds(sinceMs - killedAtMs)}`)
  }
  const others = nodes.filter((node) => node !== victim)
  tellOwners(tell, others, instances, after)
}

function tellOwners(
  tell: Transcript,
  nodes: readonly DemoNode[],
  instances: readonly Instance[],
  held: ReadonlyMap<string, Held>,
): void {
  for (const { name } of nodes) {
    const names = instances.filter(({ phone }) => held.get(phone)?.node === name).map((instance) => instance.name)
    tell.data(name, `holds ${names.join(', ') || 'none of them'}`)
  }
}

function tellProgress(tell: Transcript, writers: readonly Writer[]): void {
  const taken = writers.reduce((sum, writer) => sum + writer.taken.length, 0)
  const waiting = writers
    .filter(({ waitsSinceMs }) => waitsSinceMs !== undefined && performance.now() - waitsSinceMs > WAITS_FROM_MS)
    .map(({ from }) => from.name)
  tell.note(`${taken} texts taken so far${waiting.length === 0 ? '' : `; waiting: ${waiting.join(', ')}`}`)
}

function tellCalls(tell: Transcript, writers: readonly Writer[]): void {
  const sum = (of: (counts: Writer['counts']) => number): number =>
    writers.reduce((all, { counts }) => all + of(counts), 0)
  const longestMs = Math.max(...writers.map(({ counts }) => counts.longestMs))
  tell.data(
    'calls',
    `cut with the node: ${sum(({ cut }) => cut)}, put off: ${sum(({ putOff }) => putOff)}, each repeated under its Idempotency-Key; the longest wait for a text was ${seconds(longestMs)}`,
  )
}

function formatLine(calls: Calls, { from, to, prefix }: Writer): string {
  const headers = { token: from.token, 'idempotency-key': `${prefix}1`.replaceAll(' ', '-') }
  return curlLine('POST', `${calls.gateway}/send/text`, headers, { number: to.phone, text: `${prefix}1` })
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
