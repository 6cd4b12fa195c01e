/**
 * How long the accounts of a node wait for each other: the first text to a large group, while a status call of another account and the
 * event loop are watched. Members have one device each and no session yet. `npm run bench -- lag [members...]`
 */
import { dataFolder, startGateway } from './harness/gateway.js'
import { forEach, startNetwork } from './harness/network.js'
import { runBench } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'

const sizes = process.argv.slice(2).map(Number)
if (sizes.length === 0) sizes.push(256, 512, 1_024)
const [SENDER, OWNER] = ['15550910001', '15550910003']

await runBench(async () => {
  const network = await startNetwork()
  const members = phoneNumbers(
    5,
    0,
    sizes.reduce((sum, size) => sum + size - 2, 0),
  )
  for (const phone of [SENDER, OWNER])
    await network.control('POST', '/phones', { phone, refreshOnScan: false, autoDelivery: false })
  await forEach(members, 8, (phone) => network.control('POST', '/phones', { phone, autoDelivery: false }))
  const gateway = await startGateway(dataFolder(), network)
  const token = await gateway.pair(SENDER)
  const other = await gateway.newInstance('other')
  const statusOfOther = () => gateway.call('GET', '/instance/status', other)

  const rows: string[][] = []
  const quiet = await watch(statusOfOther, async () => {
    for (let index = 0; index < 20; index += 1) await gateway.call('GET', '/instance/status', token)
  })
  rows.push(['nothing else', '', quiet.p50, quiet.worst])
  for (const size of sizes) {
    // Nobody is in two groups, so that each first text meets people without a session.
    const people = members.splice(0, size - 2)
    const { jid } = await network.control<{ jid: string }>('POST', '/groups', {
      owner: OWNER,
      subject: `of ${size}`,
      members: [SENDER, ...people],
    })
    const started = performance.now()
    const seen = await watch(statusOfOther, () =>
      gateway.call('POST', '/send/text', token, { number: jid, text: 'the first' }),
    )
    rows.push([`first text to ${size} members`, (performance.now() - started).toFixed(0), seen.p50, seen.worst])
  }
  say(table(['meanwhile', 'takes, ms', 'status of another account, p50, ms', 'worst, ms'], rows), '')
  say(`One run. Node.js ${process.version}.`)
})

/** Calls one after the other while the work lasts. The bench is another process than the gateway, so that it does not wait itself. */
async function watch(
  call: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<{ p50: string; worst: string }> {
  const times: number[] = []
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const started = performance.now()
    await call()
    times.push(performance.now() - started)
  }
  await working
  return { p50: median(times).toFixed(1), worst: Math.max(...times).toFixed(0) }
}
