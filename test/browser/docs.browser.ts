import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { findingsInBothThemes } from '../support/axe.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { traced } from '../support/page-tasks.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly components: { readonly schemas: Json }
}

/** Time of the processor until the page shows the operations. It was 7 s when the page got the document as it is. */
const SHOWN_WITHIN_MS = 2_500

/** The person to whom the examples write. */
const REGULAR = '5511999990002'
/** Chromium writes each answer from 400 on to the console. */
const REFUSED = /status of 401/

describe('the API page in a browser', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    shop = await world.paired('5511999990001', 'Shop')
    await world.phone(REGULAR, 'Ana')
  })
  const url = () => `${world.gateway.url}/docs`
  const document = async () => (await world.gateway.call<Document>('GET', '/openapi.json')).body
  /** Cuts the document of the page to these operations: the page works out all of it again for each one that is opened, for seconds. */
  const shorten = (page: Page, operations: readonly string[]) =>
    page.route('**/openapi.json', async (route) => route.fulfill({ json: choosePart(await document(), operations) }))

  it('lists every operation', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await open(page, url())
    const { paths } = await document()
    const operations = Object.values(paths).flatMap((path) => Object.values(path))
    await page
      .locator('.opblock')
      .nth(operations.length - 1)
      .waitFor()
    const shown = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id.split('-').pop()))
    for (const { operationId } of operations) assert.ok(shown.includes(operationId), operationId)
  })

  it('shows the operations without long work, and has no finding of axe', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    // Time of the processor, which other work on the machine hardly changes.
    const { tasks } = await traced(page, async () => {
      await page.goto(url())
      await ready(page)
    })
    t.diagnostic(JSON.stringify(tasks))
    assert.ok(tasks.totalCpuMs < SHOWN_WITHIN_MS, `${tasks.totalCpuMs} ms of processor time`)
    await page.setViewportSize({ width: 1_280, height: 40_000 })
    const block = page.locator('.opblock[id$="-sendText"]')
    await block.locator('.opblock-summary-control').click()
    await block.locator('.try-out__btn').click()
    await block.locator('.execute').waitFor()
    // A window of this height draws all operations, which are alike.
    await page.setViewportSize({ width: 1_280, height: 800 })
    assert.deepEqual(await findingsInBothThemes(page, 'docs'), [])
  })

  it('takes the token, and the examples work as they stand', async (t) => {
    const names = ['initInstance', 'sendText', 'findChats', 'setWebhook']
    const { page } = await browser.session(t, world.gateway.url)
    await shorten(page, names)
    await open(page, url())
    await authorize(page, { token: shop.token, admintoken: world.gateway.adminToken })
    for (const name of names) {
      const { status, body } = await tryExample(page, name)
      assert.equal(status, 200, `${name}: ${body}`)
    }
    const arrived = await world.network<{ text: string }[]>('GET', `/phones/${REGULAR}/messages`)
    assert.deepEqual(
      arrived.map(({ text }) => text.split(' ')[0]),
      ['Hello'],
    )
  })

  it('forgets a wrong token when one logs out, keeps the right one over a reload, and gives it to no other tab', async (t) => {
    const { page, newPage, expect } = await browser.session(t, world.gateway.url)
    expect(REFUSED)
    await shorten(page, ['findChats'])
    await open(page, url())
    await authorize(page, { token: 'wrong' })
    const refused = await tryExample(page, 'findChats')
    assert.equal(refused.status, 401)
    assert.match(refused.body, /Invalid token/)
    await logOut(page, 'token')
    await page.reload()
    await ready(page)
    assert.equal(await isAuthorized(page), false)

    await authorize(page, { token: shop.token })
    await page.reload()
    await ready(page)
    assert.equal(await isAuthorized(page), true)
    assert.equal((await tryExample(page, 'findChats')).status, 200)
    assert.doesNotMatch(page.url(), new RegExp(shop.token))
    const tab = await newPage()
    await shorten(tab, ['findChats'])
    await open(tab, url())
    assert.equal(await isAuthorized(tab), false)
  })
})

/** Returns the document with these operations only, and the schemas that they refer to. */
function choosePart(document: Document, operations: readonly string[]): Json {
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const kept = Object.entries(item).filter(([, { operationId }]) => operations.includes(operationId))
    return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)] as const]
  })
  const schemas: Json = {}
  const keep = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (Object.hasOwn(schemas, name)) continue
      schemas[name] = document.components.schemas[name]
      keep(schemas[name])
    }
  }
  keep(paths)
  return { ...document, paths: Object.fromEntries(paths), components: { ...document.components, schemas } }
}

async function open(page: Page, url: string): Promise<void> {
  // The page draws only what is in sight of more than 120 paths.
  await page.setViewportSize({ width: 1280, height: 40_000 })
  await page.goto(url)
  await ready(page)
}

/** The last thing that the page draws is the list of operations. */
async function ready(page: Page): Promise<void> {
  await page.locator('.opblock').first().waitFor()
}

async function authorize(page: Page, tokens: Readonly<Record<string, string>>): Promise<void> {
  await page.locator('.btn.authorize').first().click()
  for (const [name, value] of Object.entries(tokens)) {
    const form = scheme(page, name)
    await form.locator('input').fill(value)
    await form.getByRole('button', { name: 'Apply credentials' }).click()
  }
  await page.locator('.btn-done').first().click()
}

/** Whether the page holds a token, as its lock shows. */
async function isAuthorized(page: Page): Promise<boolean> {
  const lock = page.locator('.btn.authorize').first()
  return (await lock.getAttribute('class'))?.split(' ').includes('locked') ?? false
}

/** The form of one kind of token, of those that the page asks for. */
function scheme(page: Page, name: string): Locator {
  return page.locator('.auth-container form', {
    has: page.getByRole('heading', { name: `${name} (apiKey)`, exact: true }),
  })
}

async function logOut(page: Page, name: string): Promise<void> {
  await page.locator('.btn.authorize').first().click()
  await scheme(page, name).getByRole('button', { name: 'Remove authorization' }).click()
  await page.locator('.btn-done').first().click()
}

/** Sends the example of an operation as it stands in the page. */
async function tryExample(page: Page, operation: string): Promise<{ status: number; body: string }> {
  const block = page.locator(`.opblock[id$="-${operation}"]`)
  if ((await block.locator('.opblock-body').count()) === 0) await block.locator('.opblock-summary-control').click()
  if ((await block.locator('.execute').count()) === 0) await block.locator('.try-out__btn').click()
  await block.locator('.execute').click()
  const answer = block.locator('.live-responses-table .response')
  const status = await answer.locator('.response-col_status').innerText()
  const body = await answer.locator('.response-col_description').innerText()
  return { status: Number.parseInt(status, 10), body }
}
