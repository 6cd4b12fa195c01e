/**
 * Draws each part of the dashboard in its states on a page of its own, and compares it with the pictures in `test/browser/parts/`, where the
 * browser and the fonts are those of the pictures; elsewhere it only looks. `POSTHORN_TEST_PICTURES=write` takes them again.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { packageRoot } from '../../lib/package-root.js'
import { findingsInBothThemes } from '../support/axe.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { startFakeNode } from '../support/fake-node.js'
import { sidewaysBy } from '../support/page-fit.js'
import { openAlbum, WINDOWS } from '../support/pictures.js'

const folder = path.join(packageRoot, 'test', 'browser', 'parts')

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
    const album = await openAlbum(page, folder)
    for (const [size, viewport] of Object.entries(WINDOWS))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        assert.equal(await sidewaysBy(page), '', `${size} scrolls sideways`)
        await album.look(page, `${size}-${colorScheme}`, { isWhole: true })
      }
    t.diagnostic(album.note)
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
