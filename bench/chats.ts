/**
 * Measures what a search costs in an instance of many chats, among other instances: `POST /chat/find` and `POST /contacts/list` of a gateway
 * process, one call at a time. `npm run bench -- chats [chats] [calls]`
 */
import { dataFolder, startGateway } from './harness/gateway.js'
import { runBench } from './harness/processes.js'
import { say, table, timed } from './harness/report.js'
import { type BenchStores, startStores } from './harness/stores.js'

const chats = Number(process.argv[2] ?? 100_000)
const calls = Number(process.argv[3] ?? 200)
const OTHER_INSTANCES = 100
const CHATS_OF_OTHERS = 500

// About as an account of a shop has them: few groups, few unread, some archived, most without lead data.
const FILL = `
  INSERT INTO chat (instance_id, "wa_chatid", "wa_chatlid", "phone", "name", "wa_name", "wa_contactName", "wa_isGroup", "wa_archived",
    "wa_isPinned", "wa_unreadCount", "wa_lastMsgTimestamp", "wa_lastMessageTextVote", "wa_lastMessageType", "wa_label", "lead_status",
    "lead_name", "lead_email", "lead_isTicketOpen")
  SELECT $1, CASE WHEN i % 50 = 0 THEN '1203630' || lpad(i::text, 9, '0') || '@g.us' ELSE '55119' || lpad(i::text, 8, '0') || '@s.whatsapp.net' END,
    lpad(i::text, 15, '1') || '@lid', CASE WHEN i % 50 = 0 THEN '' ELSE '+55119' || lpad(i::text, 8, '0') END,
    name, name, CASE WHEN i % 3 = 0 THEN name ELSE '' END, i % 50 = 0, i % 40 = 1, i % 10000 = 0,
    CASE WHEN i % 23 = 0 THEN i % 7 + 1 ELSE 0 END, 1700000000000 + (i * 7919 % 1000003) * 1000, 'the last words of chat ' || i, 'text',
    CASE WHEN i % 20 = 0 THEN '["' || (i % 100) / 20 || '"]' ELSE '[]' END, (ARRAY['', '', '', '', '', 'new', 'negotiation', 'won', 'lost', ''])[i % 10 + 1],
    CASE WHEN i % 10 > 4 THEN name ELSE '' END, CASE WHEN i % 10 > 4 THEN 'person' || i || '@example.com' ELSE '' END, i % 100 = 7
  FROM (
    SELECT i, (ARRAY['Ana','Bruno','Carla','Diego','Elisa','Fabio','Gabriela','Heitor','Isabela','João','Karina','Lucas','Marina'])[i % 13 + 1]
      || ' ' || (ARRAY['Silva','Souza','Costa','Pereira','Almeida','Ribeiro','Carvalho','Gomes','Martins','Araújo','Barbosa'])[i % 11 + 1]
      || ' ' || substr(md5(i::text), 1, 6) AS name
    FROM generate_series(1, $2::int) AS i
  ) AS made`
const FILL_CONTACTS = `
  INSERT INTO contact (instance_id, jid, lid, "contact_name", "contact_FirstName", push_name)
  SELECT $1, '55119' || lpad(i::text, 8, '0') || '@s.whatsapp.net', lpad(i::text, 15, '1') || '@lid',
    CASE WHEN i % 3 = 0 THEN 'Person ' || i ELSE '' END, CASE WHEN i % 3 = 0 THEN 'Person' ELSE '' END, 'Name ' || i
  FROM generate_series(1, $2::int) AS i`

/** Of many names, of some and of none. */
const PAIRS = ['an', 'qz', 'he', 'xk', 'ab']

const SEARCHES: readonly (readonly [string, (round: number) => object])[] = [
  ['the newest', () => ({})],
  ['unread', () => ({ wa_unreadCount: '>0' })],
  ['people, not archived', () => ({ wa_isGroup: false, wa_archived: false })],
  ['groups', () => ({ wa_isGroup: true })],
  ['archived', () => ({ wa_archived: true })],
  ['of a label, 1 in 100', () => ({ wa_label: '3' })],
  ['a name, part of it', (round) => ({ name: (round * 7919).toString(16).padStart(4, '0').slice(0, 4) })],
  ['a name, two letters of it', (round) => ({ name: PAIRS[round % PAIRS.length] })],
  ['the same, of the 5,000 newest', (round) => ({ name: PAIRS[round % PAIRS.length], newest: 5_000 })],
  ['a name of many', () => ({ name: 'ana silva' })],
  ['a number', (round) => ({ phone: `55119${String(1 + ((round * 7919) % 90_000)).padStart(8, '0')}` })],
  [
    'a JID',
    (round) => ({ wa_chatid: `55119${String(1 + ((round * 7919) % 90_000)).padStart(8, '0')}@s.whatsapp.net` }),
  ],
  ['a status of 10 in 100, unread', () => ({ lead_status: 'won', wa_unreadCount: '>0' })],
  ['a status of 10 in 100', () => ({ lead_status: 'negotiation' })],
  ['open tickets', () => ({ lead_isTicketOpen: true })],
  ['name or mail', (round) => ({ operator: 'OR', name: `x${round}y`, lead_email: `person${round * 10 + 7}@` })],
  ['newer than', () => ({ wa_lastMsgTimestamp: '>1700999000000' })],
]

await runBench(measure)

async function measure(): Promise<void> {
  const stores = await startStores()
  const gateway = await startGateway(dataFolder(), undefined, { env: stores.env })
  const token = await gateway.newInstance('searched')
  await fill(stores)
  const paged = (body: object, limit: number, offset = 0) => ({ limit, offset, ...body })
  const find = (body: object) =>
    gateway.call<{ pagination: { totalRecords: number } }>('POST', '/chat/find', token, body)

  const bare = await timed(calls, () => gateway.call('GET', '/instance/status', token))
  say(
    `${chats} chats, ${OTHER_INSTANCES} other instances of ${CHATS_OF_OTHERS}; \`GET /instance/status\` ${bare.p50.toFixed(2)} ms`,
    '',
  )
  const found: string[][] = []
  for (const [name, body] of SEARCHES) {
    const { pagination } = await find(paged(body(1), 20))
    const { p50, p95 } = await timed(calls, (round) => find(paged(body(round), 20)))
    found.push([name, String(pagination.totalRecords), p50.toFixed(1), p95.toFixed(1), (p50 / bare.p50).toFixed(1)])
  }
  say(table(['search, 20 to a page', 'match', 'p50, ms', 'p95, ms', '/ status'], found), '')

  const pages: string[][] = []
  const first = await timed(calls, () => find(paged({}, 20)))
  for (const [limit, offset] of [
    [20, 0],
    [100, 0],
    [500, 0],
    [1000, 0],
    [20, 1_000],
    [20, 10_000],
    [20, Math.round(chats * 0.9)],
  ] as const) {
    const { p50, p95 } = await timed(calls, () => find(paged({}, limit, offset)))
    pages.push([
      `${limit} from ${offset}`,
      p50.toFixed(1),
      p95.toFixed(1),
      (p50 / first.p50).toFixed(1),
      ((p50 * 1000) / limit).toFixed(0),
    ])
  }
  say(table(['page of all', 'p50, ms', 'p95, ms', '/ the first 20', 'µs a chat'], pages), '')

  const lists: string[][] = []
  const list = (body: object) => gateway.call('POST', '/contacts/list', token, body)
  for (const [name, body] of [
    ['100 contacts', {}],
    ['1000 contacts', { limit: 1000 }],
    [`100 from ${Math.round(chats * 0.9)}`, { offset: Math.round(chats * 0.9) }],
    ['100 of the address book', { contactScope: 'address_book' }],
    [
      `100 outside of it, from ${Math.round(chats / 2)}`,
      { contactScope: 'outside_address_book', offset: Math.round(chats / 2) },
    ],
    ['two letters of none', { search: 'qz' }],
    ['two letters of a third', { search: 'pe' }],
    ['part of a name', { search: 'person 777' }],
    ['part of a number', { search: '55119000777' }],
  ] as const) {
    const { p50, p95 } = await timed(calls, () => list(body))
    lists.push([name, p50.toFixed(1), p95.toFixed(1), (p50 / bare.p50).toFixed(1)])
  }
  say(table(['contacts', 'p50, ms', 'p95, ms', '/ status'], lists))
  await gateway.stop()
  await stores.stop()
}

async function fill(stores: BenchStores): Promise<void> {
  const rows = await stores.rows<{ id: string }>('SELECT id FROM instance')
  await stores.rows("UPDATE instance SET owner_jid = '5511900000000@s.whatsapp.net'")
  const started = performance.now()
  await stores.rows(FILL, [rows[0]?.id, chats])
  await stores.rows(FILL_CONTACTS, [rows[0]?.id, chats])
  for (let other = 0; other < OTHER_INSTANCES; other++) await stores.rows(FILL, [`other${other}`, CHATS_OF_OTHERS])
  await stores.rows('VACUUM ANALYZE')
  say(`filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}
