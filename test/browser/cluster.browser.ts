/** Journeys on three nodes: a token rotated elsewhere, a node that is killed and one that is drained. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { type Cluster, startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import type { TestInstance } from '../support/world.js'

const SHOP = '5511999990001'
const ANA = '5511999990002'
/** Chromium writes refused calls, and those that find no server, to the console. */
const AWAY = /status of 40[13]|status of 50\d|ERR_/

describe('the dashboard of three nodes', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let cluster: Cluster
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[cluster, browser] = await Promise.all([
      startCluster(cleanup, { env: { RECONNECT_DELAY_MAX_MS: '300' } }),
      startBrowser(cleanup),
    ])
    shop = await cluster.paired(SHOP, 'Shop')
    await cluster.phone(ANA, 'Ana')
  })

  it('signs a tab out when its token is rotated on another node, and keeps its place', async (t) => {
    const [first, other] = cluster.nodes
    assert.ok(first !== undefined && other !== undefined)
    const made = await cluster.instance('Kiosk')
    const { page, expect } = await browser.session(t, first.url)
    expect(AWAY)
    await signIn(page, first.url, made.token, 'the token or a key of an instance')
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    const { token } = (
      await other.call<{ token: string }>('POST', '/instance/token/rotate', { token: made.token, body: {} })
    ).body
    const rotatedMs = performance.now()
    await page.getByText('Your sign-in has ended.').waitFor()
    t.diagnostic(`signed out after ${Math.round(performance.now() - rotatedMs)} ms`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  })

  it('loses no message when the node of the stream is killed, and shows a drain until the node is empty', async (t) => {
    const [killed, watched, drained] = cluster.nodes
    assert.ok(killed !== undefined && watched !== undefined && drained !== undefined)
    // The balancer sends the stream to a living node when its own has gone.
    const { page, expect } = await browser.session(t, cluster.gateway.url)
    expect(AWAY)
    const stream = await holdStreams(page)
    await signIn(page, cluster.gateway.url, shop.token, 'the token or a key of an instance')
    const log = page.getByRole('log')
    await cluster.write(ANA, SHOP, 'before')
    // A stream says nothing of what was stored before it opened.
    await eventually(
      () => shop.call<{ messages: unknown[] }>('POST', '/message/find', { text: 'before' }),
      ({ body }) => body.messages.length === 1,
    )
    stream.open()
    await log.getByText('before', { exact: true }).waitFor()
    await killed.kill('SIGKILL')
    await cluster.write(ANA, SHOP, 'after')
    await log.getByText('after', { exact: true }).waitFor({ timeout: 60_000 })
    for (const text of ['before', 'after']) assert.equal(await log.getByText(text, { exact: true }).count(), 1)
    await cluster.shared([watched, drained])

    const admin = await browser.session(t, watched.url)
    admin.expect(AWAY)
    await signIn(admin.page, watched.url, watched.adminToken, 'the administrator’s token')
    await admin.page.getByRole('link', { name: 'Cluster' }).click()
    await admin.page.getByRole('button', { name: `Drain ${drained.name}` }).click()
    const dialog = admin.page.getByRole('dialog')
    await dialog.getByText(/instances in 128 shards move to 1 other nodes/).waitFor()
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click()
    await admin.page.getByText('Empty: it can be stopped.').waitFor()
    await admin.page.locator(`[data-owner="${watched.name}"]`).nth(255).waitFor()
    await cluster.write(ANA, SHOP, 'at the end')
    await log.getByText('at the end', { exact: true }).waitFor()
    assert.equal(await log.getByText('at the end', { exact: true }).count(), 1)
  })

  /** Holds the streams of a page back until `open` is called. */
  async function holdStreams(page: Page): Promise<{ open: () => void }> {
    const gate = new EventEmitter()
    const opened = once(gate, 'open')
    await page.route('**/sse?*', async (route) => {
      await opened
      await route.continue()
    })
    return { open: () => void gate.emit('open') }
  }

  async function signIn(page: Page, url: string, token: string, kind: string): Promise<void> {
    await page.goto(`${url}/dashboard/`)
    await page.getByLabel(kind).check()
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  }
})
