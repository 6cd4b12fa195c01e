/**
 * Measures what a menu costs the gateway process, through REST and 20 at once, beside bare Baileys that sends the same message with the same nodes;
 * and what the check of a request costs, in this process.
 * `npm run bench -- menus [menus a round] [rounds]`
 */
import { newNotes } from '../api/input/fold.js'
import { createValidation } from '../api/input/validation.js'
import { parseCarousel } from '../schemas/choices/carousel.js'
import { type MenuRequest, parseMenu } from '../schemas/choices/parse.js'
import type { SendCarouselRequest, SendMenuRequest, SendPixButtonRequest } from '../schemas/generated.js'
import { parsePixKey } from '../schemas/payment-request.js'
import { loadSchemas } from '../schemas/schema-registry.js'
import { dataFolder, startGateway } from './harness/gateway.js'
import { forEach, startNetwork } from './harness/network.js'
import { runBench, startPart } from './harness/processes.js'
import { median, say, table } from './harness/report.js'
import { comparison, inRounds, measure, type Row } from './harness/rounds.js'

const menus = Number(process.argv[2] ?? 1_000)
const rounds = Number(process.argv[3] ?? 5)
const AT_ONCE = 20
/** As in the bench of messages: before that V8 is still compiling, and more for the gateway. */
const WARM_UP = Math.ceil(10_000 / menus)
const [GATEWAY_PHONE, BARE_PHONE, FRIEND] = ['15550910001', '15550910002', '15550910003']

const CHOICES = ['Yes|yes', 'No|no', 'Later|later']

await runBench(async () => {
  const network = await startNetwork()
  for (const phone of [GATEWAY_PHONE, BARE_PHONE, FRIEND])
    await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const gateway = await startGateway(dataFolder(), network)
  const token = await gateway.pair(GATEWAY_PHONE)
  const bare = await startPart(
    'bench/harness/bare.js',
    { BENCH_SANDBOX: JSON.stringify(network.addresses), BENCH_PHONE: BARE_PHONE },
    /^ready$/,
  )
  const numbers = Array.from({ length: menus }, (_, index) => index)
  const send = (path: string, body: (text: string) => object) => () =>
    forEach(numbers, AT_ONCE, (index) =>
      gateway.call('POST', path, token, { number: FRIEND, ...body(`text ${index}`) }),
    )
  const sendBare = (menu?: readonly string[]) => () =>
    bare.ask({ send: { to: FRIEND, count: menus, atOnce: AT_ONCE, ...(menu === undefined ? {} : { menu }) } })
  const rows = [
    { what: '`/send/text`, for comparison', ours: send('/send/text', (text) => ({ text })), theirs: sendBare() },
    {
      what: '`/send/menu`, three buttons',
      ours: send('/send/menu', (text) => ({ type: 'button', text, footerText: 'Choose', choices: CHOICES })),
      theirs: sendBare(CHOICES),
    },
  ].map((row) => ({ ...row, gateway: [] as Row['gateway'], bare: [] as Row['bare'] }))
  // In turns, so that whatever else the machine does is the same for all.
  await inRounds(WARM_UP, rounds, async (isWarm) => {
    for (const { ours, theirs, gateway: figures, bare: bareFigures } of rows) {
      // The phone keeps all that it got.
      await network.control('DELETE', `/phones/${FRIEND}/messages`)
      const [one, other] = [
        await measure(gateway, menus, ours, network.settled),
        await measure(bare, menus, theirs, network.settled),
      ]
      if (isWarm) figures.push(one)
      if (isWarm) bareFigures.push(other)
    }
  })
  const drawn = await network.control<{ menu: object | null }[]>('GET', `/phones/${FRIEND}/messages`)
  if (drawn.some(({ menu }) => menu === null)) throw new Error('A menu was not drawn.')
  say(
    comparison(rows),
    '',
    `${rounds} rounds of ${menus}, ${AT_ONCE} at once, medians. Node.js ${process.version}.`,
    '',
    validationTable(),
  )
})

function validationTable(): string {
  const validation = createValidation(loadSchemas())
  const common = { number: '15550910003', text: 'Which of these?', delay: 0, track_id: 'a' }
  const menu = (type: MenuRequest['type'], choices: string[]): SendMenuRequest => ({ ...common, type, choices })
  const ofMenu = (body: SendMenuRequest) => () =>
    parseMenu(validation.body('send/menu.json', body, newNotes()) as SendMenuRequest)
  const cards: SendCarouselRequest['carousel'] = Array.from({ length: 10 }, (_, index) => ({
    text: `Card ${index}`,
    buttons: [{ text: 'Take', id: `take-${index}`, type: 'REPLY' as const }],
  }))
  const rows = Array.from({ length: 10 }, (_, index) => `Item ${index}|id-${index}|What it is`)
  const cases: [what: string, check: () => unknown][] = [
    ['`/send/text`', () => validation.body('send/text.json', common, newNotes())],
    ['`/send/menu`, three buttons', ofMenu(menu('button', CHOICES))],
    ['`/send/menu`, a list of ten items', ofMenu(menu('list', ['[Section]', ...rows]))],
    [
      '`/send/menu`, a poll of twelve options',
      ofMenu(
        menu(
          'poll',
          Array.from({ length: 12 }, (_, at) => `Option ${at}`),
        ),
      ),
    ],
    [
      '`/send/carousel`, ten cards',
      () =>
        parseCarousel(
          validation.body('send/carousel.json', { ...common, carousel: cards }, newNotes()) as SendCarouselRequest,
        ),
    ],
    [
      '`/send/pix-button`',
      () => {
        const body = { ...common, pixType: 'CPF', pixKey: '529.982.247-25' }
        return parsePixKey(validation.body('send/pix-button.json', body, newNotes()) as SendPixButtonRequest)
      },
    ],
  ]
  return table(
    ['', 'check of a request, CPU µs'],
    cases.map(([what, check]) => [what, cpuMicroseconds(check).toFixed(1)]),
  )
}

/** The median of some rounds, after one that is not counted. */
function cpuMicroseconds(work: () => unknown): number {
  const CALLS = 20_000
  const figures = Array.from({ length: 6 }, () => {
    const before = process.cpuUsage()
    for (let call = 0; call < CALLS; call += 1) work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / CALLS
  })
  return median(figures.slice(1))
}
