/** Journeys on three nodes: a token rotated elsewhere, a node that is killed and one that is drained. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startBalancer } from '../support/balancer.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { type Cleanup, suiteCleanup } from '../support/cleanup.js'
import { type Cluster, startCluster } from '../support/cluster.js'
import { heldBytes } from '../support/event-memory.js'
import { eventually } from '../support/eventually.js'
import { keepsFocus, pressAt } from '../support/keyboard.js'
import type { TestInstance } from '../support/world.js'

/** Time between two messages while nodes go. */
const WRITE_MS = 700
const GROWTH_MAX_MB = 20
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
      startCluster(cleanup, {
        env: { RECONNECT_DELAY_MAX_MS: '300' },
        // The first node that runs gets everything from the balancer.
        balancer: (t, urls) => startBalancer(t, () => urls().slice(0, 1)),
      }),
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

  it('loses and doubles no message in three tabs when the node of a stream is killed and another is drained', async (t) => {
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

    const urls = [cluster.gateway.url, watched.url, drained.url]
    const tabs = await Promise.all(urls.map((url) => openConversation(t, url)))
    const heldBefore = await Promise.all(tabs.map((tab) => heldBytes(tab)))
    const written = ['before']
    const write = async (text: string): Promise<void> => {
      written.push(text)
      await cluster.write(ANA, SHOP, text)
    }
    let isDone = false
    const writing = (async () => {
      for (let number = 1; !isDone; number += 1) {
        await write(`Text ${number}`)
        await setTimeout(WRITE_MS)
      }
    })()
    await killed.kill('SIGKILL')
    const killedMs = performance.now()
    await write('after')
    for (const shown of [log, ...tabs.map((tab) => tab.getByRole('log'))])
      await shown.getByText('after', { exact: true }).waitFor({ timeout: 60_000 })
    t.diagnostic(`the message after the kill was in every tab after ${Math.round(performance.now() - killedMs)} ms`)
    for (const text of ['before', 'after']) assert.equal(await log.getByText(text, { exact: true }).count(), 1)
    await cluster.shared([watched, drained])

    const admin = await browser.session(t, watched.url)
    admin.expect(AWAY)
    await signIn(admin.page, watched.url, watched.adminToken, 'the administrator’s token')
    await admin.page.getByRole('link', { name: 'Cluster' }).click()
    await pressAt(admin.page, admin.page.getByRole('button', { name: `Drain ${drained.name}` }))
    const dialog = admin.page.getByRole('dialog')
    await dialog.getByText(/instances in 128 parts move to 1 other nodes/).waitFor()
    await pressAt(admin.page, dialog.getByRole('button', { name: 'Drain', exact: true }))
    await dialog.waitFor({ state: 'detached' })
    await keepsFocus(admin.page, 'the drain has begun')
    await admin.page.getByText('Empty: it can be stopped.').waitFor({ timeout: 60_000 })
    await admin.page.locator(`[data-owner="${watched.name}"]`).nth(255).waitFor()
    isDone = true
    await writing
    await write('at the end')
    await log.getByText('at the end', { exact: true }).waitFor()
    assert.equal(await log.getByText('at the end', { exact: true }).count(), 1)
    for (const [place, tab] of tabs.entries()) {
      await tab.getByRole('log').getByText('at the end', { exact: true }).waitFor()
      const { texts, doubled, alerts } = await tab.evaluate<Read>(READ)
      assert.deepEqual([...written].filter((text) => !texts.includes(text)).sort(), [], `missing in tab ${place}`)
      assert.deepEqual(doubled, [], `doubled in tab ${place}`)
      assert.deepEqual(alerts, [], `errors in tab ${place}`)
      const megabytes = ((await heldBytes(tab)) - (heldBefore[place] ?? 0)) / 1_000_000
      t.diagnostic(`tab ${place} holds ${megabytes.toFixed(1)} MB more`)
      assert.ok(megabytes <= GROWTH_MAX_MB, `${megabytes} MB in tab ${place}`)
    }
  })

  /** Opens the chat with Ana at a node, with a note of each error that the page shows for longer than an outage may last. */
  async function openConversation(t: Cleanup, url: string): Promise<Page> {
    const { page, expect } = await browser.session(t, url)
    expect(AWAY)
    await page.addInitScript(NOTE_ALERTS)
    await page.goto(`${url}/dashboard/instances/${shop.id}/chats?chat=${ANA}%40s.whatsapp.net`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(shop.token)
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('before', { exact: true }).waitFor()
    return page
  }

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
    await page.getByRole('button', { name: /^Your menu/ }).waitFor()
  }
})

interface Read {
  readonly texts: readonly string[]
  readonly doubled: readonly string[]
  readonly alerts: readonly string[]
}

/** Notes the errors that a page continues showing. */
const NOTE_ALERTS = `{
  const since = new Map()
  window.lastingAlerts = new Set()
  setInterval(() => {
    const shown = new Set([...document.querySelectorAll('[role=alert]')].map((one) => one.innerText).filter(Boolean))
    for (const text of since.keys()) if (!shown.has(text)) since.delete(text)
    for (const text of shown) {
      if (!since.has(text)) since.set(text, performance.now())
      if (performance.now() - since.get(text) > 15000) lastingAlerts.add(text)
    }
  }, 250)
}`

/** Reads a chat from its end to its beginning. Rows that are out of sight are not in the document. */
const READ = `(async () => {
  const log = document.querySelector('[role=log]')
  const texts = new Set()
  const doubled = new Set()
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const look = () => {
    const seen = new Set()
    for (const row of log.querySelectorAll('article')) {
      const text = /(Text \\d+|before|after|at the end)/.exec(row.innerText)?.[1]
      if (text === undefined) continue
      if (seen.has(text)) doubled.add(text)
      seen.add(text)
      texts.add(text)
    }
  }
  const end = performance.now() + 20000
  look()
  while (!log.innerText.includes('The stored conversation begins here.') && performance.now() < end) {
    log.scrollTop -= 200
    await frame()
    look()
  }
  return { texts: [...texts], doubled: [...doubled], alerts: [...lastingAlerts] }
})()`
