/** Journey of an administrator with ten thousand instances, of which some are connected. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { traced } from '../support/page-tasks.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

const STORED = 10_000
/** Instances of which one filter is for all. */
const BRANCHES = 40
const PAIRED_AT_ONCE = 8
const ROWS_MAX = 80
/** Rows that are loaded under the trace, and steps back: a trace of all would take longer to read than to make. */
const TRACED_ROWS = 1_000
const TRACED_STEPS = 40

interface Scrolled {
  readonly rows: number
}

describe('ten thousand instances', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  const branches = new Map<number, TestInstance>()
  let world: World
  let browser: TestBrowser
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    await store(world.gateway.databaseUrl)
    let next = 0
    const pairSome = async (): Promise<void> => {
      for (let number = next++; number < BRANCHES; number = next++)
        branches.set(number, await world.paired(`55119888${10_000 + number}`, `Branch ${number}`))
    }
    await Promise.all(Array.from({ length: PAIRED_AT_ONCE }, pairSome))
  })

  it('shows 10,000 instances in few rows, and keeps the view in the address', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    let calls = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/instance/find')) calls += 1
    })
    await signIn(page, '/instances')
    await page.getByRole('button', { name: `All ${STORED + BRANCHES}` }).waitFor()
    await page.getByRole('rowheader').first().waitFor()
    assert.equal(calls, 1, `${calls} calls for the first page`)

    await page.getByRole('searchbox').waitFor()
    await page.evaluate(loadRows(STORED - TRACED_ROWS))
    const { result, tasks } = await traced(page, () => page.evaluate<Scrolled>(loadAndScroll(STORED)))
    t.diagnostic(`10,000 instances: ${JSON.stringify({ ...result, ...tasks })}`)
    assert.ok(result.rows <= ROWS_MAX, `${result.rows} rows in the document`)

    // By keyboard: to the search, to the second row, select it, open it.
    await page.getByRole('region', { name: 'Instances' }).focus()
    await page.keyboard.press('/')
    await page.keyboard.type('branch 3')
    await page.waitForURL(/search=branch/)
    const found = page.getByRole('button', { name: /^Connected 11$/ })
    await found.click()
    await page.waitForURL(/status=connected/)
    await found.blur()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connection', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('rowheader', { name: 'Branch 39' }).waitFor()
    await page.reload()
    await page.getByRole('rowheader', { name: 'Branch 39' }).waitFor()
    await eventually(async () => (await page.getByRole('rowheader').count()) === 11)
  })

  it('resets all that match, names one that changed meanwhile, and ends with the number of the dry run', async (t) => {
    const { page, expect } = await browser.session(t, world.gateway.url)
    // Chromium writes each answer from 400 on to the console.
    expect(/status of 409/)
    let searches = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/instance/find')) searches += 1
    })
    const opened = page.waitForResponse(/\/sse\?/)
    await signIn(page, '/instances?search=branch&status=connected')
    await page.getByRole('button', { name: new RegExp(`^Connected ${BRANCHES}$`) }).waitFor()
    await opened
    assert.equal(searches, 1, 'calls for the first page')
    await page.getByLabel('Select Branch').first().check()
    await page.getByRole('button', { name: `Select all ${BRANCHES} that match` }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Reset' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${BRANCHES} instances would be changed.`).waitFor()
    // Its owner takes one away before the question is answered.
    await branches.get(7)?.done('/instance/disconnect', {})
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByText('The selection has changed since it was counted.').waitFor()
    await dialog.getByRole('listitem').getByText('Branch 7', { exact: true }).waitFor()
    await dialog.getByText(`${BRANCHES - 1} instances would be changed.`).waitFor()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByText(`Done. ${BRANCHES - 1} of ${BRANCHES - 1} changed, 0 left as they were, 0 failed.`).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: new RegExp(`^Connected ${BRANCHES - 1}$`) }).waitFor()
  })

  async function signIn(page: Page, path: string): Promise<void> {
    await page.goto(`${world.gateway.url}/dashboard${path}`)
    await page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Your menu/ }).waitFor()
  }
})

async function store(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `INSERT INTO instance (id, name, token_hash, created)
     SELECT 'i' || lpad(n::text, 15, '0'), 'Stored ' || n, sha256(n::text::bytea), now() - n * interval '1 second'
     FROM generate_series(1, ${STORED}) AS n`,
    )
  } finally {
    await client.end()
  }
}

/** Scrolls until so many rows are there. */
function loadRows(wanted: number): string {
  return `(async () => {
    const place = document.querySelector('section[aria-label="Instances"]')
    const end = performance.now() + 60000
    while (Number(place.querySelector('table').getAttribute('aria-rowcount')) <= ${wanted} && performance.now() < end) {
      place.scrollTop = place.scrollHeight
      await new Promise((done) => requestAnimationFrame(done))
    }
  })()`
}

/** Loads the last rows, scrolls back, and tells how many rows were drawn at most. */
function loadAndScroll(stored: number): string {
  return `(async () => {
    await ${loadRows(stored)}
    const place = document.querySelector('section[aria-label="Instances"]')
    let rows = 0
    for (let step = ${TRACED_STEPS}; step > 0; step -= 1) {
      place.scrollTop = place.scrollHeight * step / ${TRACED_STEPS}
      await new Promise((done) => requestAnimationFrame(done))
      rows = Math.max(rows, place.querySelectorAll('tbody tr').length)
    }
    return { rows }
  })()`
}
