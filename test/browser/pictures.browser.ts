/**
 * Takes the main pages in light and dark, on a desk and on a phone, and compares them with the pictures in `test/browser/pages/` where browser and
 * fonts are those of the pictures; elsewhere it only looks. `POSTHORN_TEST_PICTURES=write node dist/scripts/test.js browser browser/pictures`
 * records them again, and the pictures of the documents in `docs/pictures/` with them. Names, texts and what changes from run to run are the same
 * each time.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { toDataURL } from 'qrcode'
import sharp from 'sharp'
import { packageRoot } from '../../lib/package-root.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { isRecording, openAlbum, WINDOWS } from '../support/pictures.js'
import { openSignedIn } from '../support/sign-in.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

const ofDocuments = path.join(packageRoot, 'docs', 'pictures')
const ofPages = path.join(packageRoot, 'test', 'browser', 'pages')
const SHOP = '5511999990001'
const ANA = '5511999990002'
const BEN = '5511999990003'
const QUALITY = 80
/** Width of the recorded pictures of a desk: half of the window shows the same layout in a third of the bytes. */
const RECORDED_WIDTH = 640
/** Text of the QR in the pictures, which pairs nothing. */
const QR_TEXT = 'https://posthorn.example/this-code-pairs-nothing,'.repeat(4)
const MINUTE_MS = 60_000
const NOW_MS = Date.UTC(2026, 10, 29, 10, 24)

interface MainPage {
  readonly name: string
  readonly path: string
  /** Is there when the page has its data. */
  readonly text: string
}

describe('pictures of the main pages', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    await world.phone(ANA, 'Ana')
    await world.phone(BEN, 'Ben')
    shop = await world.paired(SHOP, 'Shop, north')
    for (const name of ['Shop, south', 'Support', 'Warehouse']) await world.instance(name)
    await world.write(BEN, SHOP, 'Is the blue one still there?')
    await world.write(ANA, SHOP, 'Do you have *two* left?')
    await shop.chat(ANA)
    await shop.text(ANA, 'Yes, two. Shall I put them aside for you?')
    // The network tells times in seconds, by which messages are ordered.
    const answeredSecond = Math.floor(Date.now() / 1_000)
    await eventually(() => Math.floor(Date.now() / 1_000) > answeredSecond)
    await world.write(ANA, SHOP, 'Please! I come at six.')
  })

  function mainPages(): readonly MainPage[] {
    const own = `/instances/${shop.id}`
    return [
      { name: 'overview', path: '/overview', text: 'Traffic' },
      { name: 'instances', path: '/instances?sort=%2Bname', text: 'Warehouse' },
      { name: 'conversation', path: `${own}/chats?chat=${ANA}%40s.whatsapp.net`, text: 'Please! I come at six.' },
      { name: 'contacts', path: `${own}/contacts`, text: 'Ben' },
      { name: 'campaigns', path: `${own}/campaigns`, text: 'Campaigns' },
      { name: 'agents', path: `${own}/agents`, text: 'Agents' },
      { name: 'webhooks', path: `${own}/webhooks`, text: 'Webhooks' },
      { name: 'api', path: `${own}/api?operation=sendText`, text: 'As code' },
      { name: 'settings', path: `${own}/settings`, text: 'Settings' },
    ]
  }

  it('look as recorded, in two sizes and two themes', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await fixFigures(page)
    await openSignedIn(session, world.gateway, '/overview')
    const album = await openAlbum(page, ofPages)
    for (const { name, path: address, text } of mainPages()) {
      await page.setViewportSize(WINDOWS.desk)
      await page.goto(`${world.gateway.url}/dashboard${address}`)
      await page.getByRole('main').getByText(text).first().waitFor()
      if (isRecording) await takeForDocuments(page, name)
      for (const [size, viewport] of Object.entries(WINDOWS))
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport)
          await page.emulateMedia({ colorScheme })
          const settle = () => settled(page)
          await album.look(page, `${name}-${size}-${colorScheme}`, {
            settle,
            ...(size === 'desk' ? { width: RECORDED_WIDTH } : {}),
          })
        }
      await page.emulateMedia({ colorScheme: 'light' })
    }
    t.diagnostic(album.note)
  })

  it('show a pairing for the documents', { skip: isRecording ? false : 'not asked for' }, async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    await page.setViewportSize(WINDOWS.desk)
    await openSignedIn(session, world.gateway, '/instances?search=warehouse')
    await page.getByRole('rowheader', { name: 'Warehouse' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Show the QR code' }).click()
    await page.getByAltText('QR code for the phone').waitFor()
    await takeForDocuments(page, 'pairing')
  })
})

/** Pictures that the documents show. */
const SHOWN_IN_DOCUMENTS = ['overview', 'instances', 'conversation', 'pairing']

async function takeForDocuments(page: Page, name: string): Promise<void> {
  if (!SHOWN_IN_DOCUMENTS.includes(name)) return
  mkdirSync(ofDocuments, { recursive: true })
  await settled(page)
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await sharp(picture)
    .webp({ quality: QUALITY })
    .toFile(path.join(ofDocuments, `${name}.webp`))
}

/** Gives the overview an hour of traffic that is the same in each run. */
async function fixFigures(page: Page): Promise<void> {
  const minutes = Array.from({ length: 60 }, (_, place) => ({
    at: new Date(NOW_MS - (59 - place) * MINUTE_MS).toISOString(),
    sent: 4 + ((place * 7) % 11),
    received: 2 + ((place * 5) % 9),
    failed: 0,
  }))
  const rows = Array.from({ length: 12 }, (_, place) => ({
    at: new Date(Math.floor(NOW_MS / (5 * MINUTE_MS)) * 5 * MINUTE_MS - (12 - place) * 5 * MINUTE_MS).toISOString(),
    sent: 40,
    received: 30,
    failed: 0,
    p50Seconds: 0.08 + (place % 4) / 50,
    p99Seconds: 0.4 + (place % 5) / 10,
  }))
  const fixed = (pattern: string, values: object) =>
    page.route(pattern, async (route) => {
      const told = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...told, ...values } })
    })
  await fixed('**/admin/figures', { minutes, nodes: [] })
  await fixed('**/admin/figures/traffic*', { at: new Date(NOW_MS).toISOString(), rows })
}

/** Puts fixed times, ids and codes in place of those of this run, once nothing loads. */
async function settled(page: Page): Promise<void> {
  await eventually(async () => (await page.getByText('Loading…').count()) === 0)
  const code = await toDataURL(QR_TEXT, { margin: 2, errorCorrectionLevel: 'L' })
  await page.evaluate(`{
    document.activeElement?.blur()
    for (const time of document.querySelectorAll('time'))
      time.textContent = time.textContent.includes('day,') ? 'Sunday, November 29, 2026' : '10:24'
    for (const img of document.querySelectorAll('img[alt="QR code for the phone"]')) img.src = ${JSON.stringify(code)}
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      // The times of charts are fixed already.
      if (node.parentElement.closest('svg') !== null) continue
      node.data = node.data
        .replace(/New code in \\d+ seconds?/, 'New code in 52 seconds')
        .replace(/\\b[0-9a-f]{32}\\b|\\bi[0-9a-z]{15}\\b/, 'i0123456789abcdef')
        .replace(/http:\\/\\/127\\.0\\.0\\.1:\\d+/g, 'http://127.0.0.1:3000')
        .replace(/\\w+day, \\w+ \\d+, \\d{4}/g, 'Sunday, November 29, 2026')
        .replace(/\\b\\d{1,2}:\\d{2}(:\\d{2})?( [AP]M)?/g, '10:24')
    }
  }`)
}
