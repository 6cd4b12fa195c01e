import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isRunning, signalProcess } from '../../runtime/embedded/processes.js'
import { ARRIVED_WITHIN_MS, type CampaignTraffic, startCampaignTraffic, UNPACED } from '../cluster/campaign-traffic.js'
import { testFolder, testPostgres } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import type { Stores } from '../support/gateway.js'
import { startReceiver } from '../support/receiver.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld, type TestInstance } from '../support/world.js'
import { chooseSeed, seededRandom } from './random.js'
import { watchStatus } from './status-watch.js'
import { startTraffic } from './traffic.js'

describe('when PostgreSQL is killed with all its processes', () => {
  it('and started again after some seconds: calls say so, status is true, nothing is lost or doubled', async (t) => {
    const postgres = await testPostgres(t)
    const { traffic, readyIs } = await startScene(t, { postgres })
    for (const awayMs of [3_000, 200]) {
      await traffic.goesOn()
      await postgres.kill()
      await readyIs(503)
      await pause(awayMs)
      await postgres.start()
      await readyIs(200)
    }
    await traffic.goesOn()
    await traffic.end()
  })

  it('the gateway starts its embedded PostgreSQL again, and all continues without help', async (t) => {
    const dataDir = testFolder(t)
    const { traffic, readyIs, output } = await startScene(t, { embeddedIn: dataDir })
    const readPid = () => Number.parseInt(readFileSync(path.join(dataDir, 'postgresql', 'postmaster.pid'), 'utf8'), 10)
    for (let kill = 1; kill <= 2; kill += 1) {
      await traffic.goesOn()
      const pid = readPid()
      signalProcess(pid, 'SIGKILL')
      await eventually(() => !isRunning(pid))
      await eventually(output, (text) => text.includes(`"restarts":${kill},"msg":"embedded server runs again"`))
      await readyIs(200)
    }
    await traffic.goesOn()
    await traffic.end()
  })

  it('amid the turns of campaigns, each recipient still gets their messages once, in order, and nobody is closed as internal', async (t) => {
    const postgres = await testPostgres(t)
    const random = seededRandom(chooseSeed(t))
    const env = { ...UNPACED, RECONNECT_DELAY_MAX_MS: '500', DATABASE_CONNECT_TIMEOUT_MS: '1000' }
    const world = await startWorld(t, env, { postgres })
    const peers = ['15550720002', '15550720003', '15550720004']
    for (const peer of peers) await world.phone(peer)
    const shops = await Promise.all(
      Array.from({ length: CAMPAIGNS }, (_, index) => world.paired(String(15_550_720_010 + index))),
    )
    const campaigns: CampaignTraffic[] = []
    /** Each turn reads the chat for the placeholder, which is empty. */
    const startCampaigns = async (wave: number) => {
      const started = shops.map((shop, index) =>
        startCampaignTraffic(world, shop, {
          peers,
          label: `wave ${wave} of ${index}`,
          count: CAMPAIGN_SIZE,
          reads: true,
        }),
      )
      campaigns.push(...(await Promise.all(started)))
    }
    const ready = async () => (await world.gateway.call('GET', '/ready')).status
    const sentBy = async (shop: TestInstance) => {
      const { body } = await shop
        .call<{ log_sucess: number }[]>('GET', '/sender/listfolders')
        .catch(() => ({ body: [] }))
      return Array.isArray(body) ? body.reduce((sum, one) => sum + one.log_sucess, 0) : 0
    }
    const sent = async () => (await Promise.all(shops.map(sentBy))).reduce((sum, one) => sum + one, 0)
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = await sent()
      await startCampaigns(kill)
      await eventually(sent, (now) => now > before)
      await pause(random() * 300)
      await postgres.kill()
      await pause(random() * 1_000)
      await postgres.start()
      await eventually(ready, (now) => now === 200)
    }
    for (const campaign of campaigns) await campaign.hasArrived(ARRIVED_WITHIN_MS)
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const { rows } = await database.query('SELECT reason, error FROM campaign_recipient WHERE status >= 20')
    assert.deepEqual(rows, [])
  })
})

/** Kills, each amid campaigns of its own, and messages of each campaign. */
const KILLS = 6
const CAMPAIGNS = 8
const CAMPAIGN_SIZE = 25

async function startScene(t: TestContext, stores: Stores) {
  const env = { RECONNECT_DELAY_MAX_MS: '500', DATABASE_CONNECT_TIMEOUT_MS: '1000' }
  const world = await startWorld(t, env, stores)
  const receiver = await startReceiver(t)
  const [ana, eve] = [await world.paired('15550720001', 'Ana'), await world.paired('15550720003', 'Eve')]
  await world.phone('15550720002')
  await ana.hook(receiver.url)
  const watch = watchStatus(t, world, [ana, eve])
  const running = startTraffic(t, world, ana, { peer: '15550720002', receiver, everyMs: 50 })
  const ready = async () => (await world.gateway.call('GET', '/ready')).status
  return {
    output: world.gateway.output,
    readyIs: (status: number) => eventually(ready, (now) => now === status),
    traffic: {
      goesOn: () => running.goesOn(),
      async end() {
        await running.stop()
        await ana.connected()
        await eve.connected()
        await running.hasArrived()
        assert.ok(
          [...running.answers.keys()].every((status) => [200, 503, 504].includes(status)),
          JSON.stringify([...running.answers]),
        )
        assert.deepEqual(await watch.stop(), [])
        assert.ok(watch.saidConnected > 0)
        assert.equal((await world.gateway.call('GET', '/health')).status, 200)
      },
    },
  }
}
