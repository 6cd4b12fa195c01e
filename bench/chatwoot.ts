/**
 * Measures what Chatwoot costs an instance that has none: CPU of this process and time per inbound message, while no instance has one and while
 * all others have one, in turns. `npm run bench -- chatwoot [messages a burst] [rounds]`
 */
import { createWebhookRows } from '../runtime/store/webhooks.js'
import type { InstanceId } from '../schemas/ids.js'
import { openTestStore } from '../test/support/store.js'
import { type Journal, writeBurst } from './harness/journal-burst.js'
import { median, say, table } from './harness/report.js'

const size = Number(process.argv[2] ?? 500)
const rounds = Number(process.argv[3] ?? 15)
const INSTANCES = 25

const after: (() => Promise<void> | void)[] = []
const store = await openTestStore({ after: (work) => after.push(work) })
const webhooks = createWebhookRows(store.database, store.encryption)

async function instances(name: string): Promise<{ readonly ids: readonly InstanceId[]; readonly journals: Journal[] }> {
  const ids: InstanceId[] = []
  for (let index = 0; index < INSTANCES; index++) ids.push(await store.newInstance(`${name} ${index}`))
  return { ids, journals: ids.map((id) => store.journal.forInstance(id, store.findEpoch(id))) }
}

/** Gives an instance the row of a Chatwoot. Nobody takes its deliveries here. */
async function connect(instance: InstanceId): Promise<void> {
  const row = await webhooks.insert({
    instance,
    enabled: true,
    url: 'https://chatwoot.example',
    events: ['messages', 'messages_update'],
    excludeMessages: [],
    addUrlEvents: false,
    addUrlTypesMessages: false,
    secret: 'whsec_bench',
  })
  await store.database.pool.query(`UPDATE webhook SET purpose = 'chatwoot' WHERE id = $1`, [row.id])
}

interface Figures {
  readonly cpuMs: number
  readonly wallMs: number
}

async function measure(journals: readonly Journal[]): Promise<Figures> {
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  await writeBurst(journals, size)
  const wallMs = performance.now() - startedMs
  const used = process.cpuUsage(cpu)
  return { cpuMs: (used.user + used.system) / 1_000 / size, wallMs: wallMs / size }
}

const without = await instances('without')
const others = await instances('other')
const setAll = (enabled: boolean) =>
  store.database.pool.query(`UPDATE webhook SET enabled = $1 WHERE purpose = 'chatwoot'`, [enabled])
for (const id of others.ids) await connect(id)
for (let round = 0; round < 3; round++) await writeBurst(without.journals, size)

const figures = { none: [] as Figures[], others: [] as Figures[], with: [] as Figures[] }
for (let round = 0; round < rounds; round++) {
  await setAll(false)
  figures.none.push(await measure(without.journals))
  await setAll(true)
  figures.others.push(await measure(without.journals))
  figures.with.push(await measure(others.journals))
}
for (const work of after) await work()

const of = (all: readonly Figures[], name: keyof Figures) => median(all.map((one) => one[name]))
const base = figures.none
const row = (what: string, all: readonly Figures[]) => [
  what,
  of(all, 'cpuMs').toFixed(3),
  (of(all, 'cpuMs') / of(base, 'cpuMs')).toFixed(2),
  of(all, 'wallMs').toFixed(3),
  (of(all, 'wallMs') / of(base, 'wallMs')).toFixed(2),
]
say(
  table(
    ['inbound message', 'CPU ms', 'ratio', 'ms', 'ratio'],
    [
      row('no instance has Chatwoot', base),
      row('25 others have Chatwoot', figures.others),
      row('written for one that has it', figures.with),
    ],
  ),
  '',
  `${rounds} rounds of ${size} messages, medians. Node.js ${process.version}.`,
)
