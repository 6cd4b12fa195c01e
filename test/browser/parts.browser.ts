/**
 * Draws each part of the dashboard in its states on a page of its own, and compares it with the pictures in `test/browser/parts/`, where the
 * browser and the fonts are those of the pictures; elsewhere it only looks. `POSTHORN_TEST_PICTURES=write` takes them again.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { packageRoot } from '../../lib/package-root.js'
import { findingsInBothThemes } from '../support/axe.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { startFakeNode } from '../support/fake-node.js'
import { sidewaysBy } from '../support/page-fit.js'

const folder = path.join(packageRoot, 'test', 'browser', 'parts')
/** Says of which browser and fonts the pictures are. */
const MADE_BY = path.join(folder, 'made-by.txt')
const isAsked = process.env.POSTHORN_TEST_PICTURES === 'write'
/** Part of the pixels that may differ. */
const DIFFERENT_MAX = 0.001
/** Difference of a colour by which a pixel counts as another one. */
const SAME_WITHIN = 16
const SIZES = { desk: { width: 1_280, height: 800 }, phone: { width: 360, height: 740 } } as const

describe('parts of the dashboard', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let browser: TestBrowser
  let url: string
  before(async () => {
    const built = mkdtempSync(path.join(tmpdir(), 'posthorn-parts-'))
    cleanup.after(() => rmSync(built, { recursive: true }))
    const { build } = await import('vite')
    await build({
      configFile: path.join(packageRoot, 'dashboard', 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: built, rolldownOptions: { input: path.join(packageRoot, 'dashboard', 'parts.html') } },
    })
    renameSync(path.join(built, 'parts.html'), path.join(built, 'index.html'))
    const [node, started] = await Promise.all([
      startFakeNode(cleanup, { dashboardFolder: built }),
      startBrowser(cleanup),
    ])
    browser = started
    url = node.url
  })

  it('looks as in the pictures, and suits every reader, in two sizes and two themes', async (t) => {
    const { page } = await browser.session(t, url)
    await page.clock.setFixedTime(new Date('2026-11-29T12:00:00Z'))
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
    await page.goto(`${url}/dashboard/parts`)
    await page.getByRole('heading', { name: 'Parts', level: 1 }).waitFor()
    assert.deepEqual(await findingsInBothThemes(page, 'parts'), [])
    const madeBy = await fontsOf(page)
    const isSameBrowser = existsSync(MADE_BY) && readFileSync(MADE_BY, 'utf8').trim() === madeBy
    if (isAsked) mkdirSync(folder, { recursive: true })
    for (const [size, viewport] of Object.entries(SIZES))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        assert.equal(await sidewaysBy(page), '', `${size} scrolls sideways`)
        const taken = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
        const file = path.join(folder, `${size}-${colorScheme}.png`)
        if (isAsked) await sharp(taken).png({ palette: true, compressionLevel: 9 }).toFile(file)
        else if (isSameBrowser) assert.ok((await differenceOf(taken, file)) <= DIFFERENT_MAX, `${size}, ${colorScheme}`)
      }
    if (isAsked) writeFileSync(MADE_BY, `${madeBy}\n`)
    t.diagnostic(isSameBrowser ? 'compared with the pictures' : `not compared: the pictures are not of ${madeBy}`)
  })

  it('opens what opens, and shuts it', async (t) => {
    const { page } = await browser.session(t, url)
    await page.goto(`${url}/dashboard/parts`)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Dialog' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Phone number' }).click()
    await page.getByText('Type the code on the phone.').waitFor()
    await page.getByRole('button', { name: 'Toast' }).click()
    await page.getByText('The chat was archived.').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  })
})

/** Returns the version of the browser, and how wide and high the fonts of this machine draw a line. */
async function fontsOf(page: Page): Promise<string> {
  const version = page.context().browser()?.version() ?? ''
  const size = await page.evaluate<string>(`(() => {
    const span = document.createElement('span')
    span.textContent = 'Posthorn 0123456789 çãñ'
    document.body.append(span)
    const { width, height } = span.getBoundingClientRect()
    span.remove()
    return width.toFixed(2) + ' ' + height.toFixed(2)
  })()`)
  return `Chromium ${version}, a line of ${size}`
}

/** Returns the part of the pixels that differ; 1 if the sizes do. */
async function differenceOf(taken: Buffer, file: string): Promise<number> {
  const [one, other] = await Promise.all(
    [taken, readFileSync(file)].map((image) => sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  )
  if (one === undefined || other === undefined || one.data.length !== other.data.length) return 1
  let different = 0
  for (let at = 0; at < one.data.length; at += 3)
    if ([0, 1, 2].some((by) => Math.abs((one.data[at + by] ?? 0) - (other.data[at + by] ?? 0)) > SAME_WITHIN))
      different += 1
  return different / (one.data.length / 3)
}
