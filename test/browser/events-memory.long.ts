import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startBrowser, withoutBrowser } from '../support/browser.js'
import { feedEvents, growthOver } from '../support/event-memory.js'
import { startWorld } from '../support/world.js'

const SECONDS = 180
const PER_SECOND = 400
const GROWTH_MAX_MB = 20

it('the viewer of events stays flat over 3 minutes at 400 events/s', { skip: withoutBrowser }, async (t) => {
  const [world, browser] = await Promise.all([startWorld(t), startBrowser(t)])
  const made = await world.instance('Shop')
  const { page } = await browser.session(t, world.gateway.url)
  await feedEvents(page, PER_SECOND)
  await page.goto(`${world.gateway.url}/dashboard/instances/${made.id}/events`)
  await page.getByLabel('the token or a key of an instance').check()
  await page.getByLabel('Token', { exact: true }).fill(made.token)
  await page.keyboard.press('Enter')
  const megabytes = (await growthOver(page, SECONDS, PER_SECOND)) / 1_000_000
  t.diagnostic(`${megabytes.toFixed(1)} MB more after ${SECONDS} s at 400 events/s`)
  assert.ok(megabytes <= GROWTH_MAX_MB, `${megabytes} MB`)
})
