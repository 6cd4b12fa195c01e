/**
 * Takes the pictures of the documents: `POSTHORN_TEST_PICTURES=write node dist/scripts/test.js browser browser/pictures` writes them into
 * `docs/pictures/`. Names, texts and what changes from run to run are the same each time; the fonts are those of the machine.
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
import { startWorld, type TestInstance, type World } from '../support/world.js'

const folder = path.join(packageRoot, 'docs', 'pictures')
const isAsked = process.env.POSTHORN_TEST_PICTURES === 'write'
const SHOP = '5511999990001'
const ANA = '5511999990002'
const BEN = '5511999990003'
const SIZE = { width: 1280, height: 800 }
const QUALITY = 80
/** Text of the QR in the pictures, which pairs nothing. */
const QR_TEXT = 'https://posthorn.example/this-code-pairs-nothing,'.repeat(4)

describe('pictures of the documents', { skip: withoutBrowser || (isAsked ? false : 'not asked for') }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    await world.phone(ANA, 'Ana')
    await world.phone(BEN, 'Ben')
    shop = await world.paired(SHOP, 'Shop, north')
    mkdirSync(folder, { recursive: true })
  })

  it('shows instances, a pairing, a conversation and the overview', async (t) => {
    for (const name of ['Shop, south', 'Support', 'Warehouse']) await world.instance(name)
    await world.write(BEN, SHOP, 'Is the blue one still there?')
    await world.write(ANA, SHOP, 'Do you have *two* left?')
    await shop.chat(ANA)
    await shop.text(ANA, 'Yes, two. Shall I put them aside for you?')
    // The network tells times in seconds, by which messages are ordered.
    const answeredSecond = Math.floor(Date.now() / 1_000)
    await eventually(() => Math.floor(Date.now() / 1_000) > answeredSecond)
    await world.write(ANA, SHOP, 'Please! I come at six.')
    const { page } = await browser.session(t, world.gateway.url)
    await page.setViewportSize(SIZE)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.goto(`${world.gateway.url}/dashboard/instances?sort=%2Bname`)
    await page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'Warehouse' }).waitFor()
    await take(page, 'instances')

    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/chats?chat=${ANA}%40s.whatsapp.net`)
    await page.getByRole('log').getByText('Please! I come at six.').waitFor()
    await page.getByRole('option', { name: /Ben/ }).waitFor()
    await take(page, 'conversation')

    await page.goto(`${world.gateway.url}/dashboard/overview`)
    await page.getByRole('heading', { name: 'Traffic' }).waitFor()
    await take(page, 'overview')

    await page.goto(`${world.gateway.url}/dashboard/instances?search=warehouse`)
    await page.getByRole('rowheader', { name: 'Warehouse' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Show the QR code' }).click()
    await page.getByAltText('QR code for the phone').waitFor()
    await take(page, 'pairing')
  })
})

/** Writes a small picture of what is seen, with fixed times, ids and codes in place of those of this run. */
async function take(page: Page, name: string): Promise<void> {
  const code = await toDataURL(QR_TEXT, { margin: 2, errorCorrectionLevel: 'L' })
  await page.evaluate(`{
    document.activeElement?.blur()
    for (const time of document.querySelectorAll('time')) time.textContent = '10:24'
    for (const img of document.querySelectorAll('img[alt="QR code for the phone"]')) img.src = ${JSON.stringify(code)}
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      node.data = node.data
        .replace(/New code in \\d+ seconds?/, 'New code in 52 seconds')
        .replace(/\\b[0-9a-f]{32}\\b|\\bi[0-9a-z]{15}\\b/, 'i0123456789abcdef')
        .replace(/\\b\\d{1,2}:\\d{2}(:\\d{2})?( [AP]M)?/g, '10:24')
    }
  }`)
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await sharp(picture)
    .webp({ quality: QUALITY })
    .toFile(path.join(folder, `${name}.webp`))
}
