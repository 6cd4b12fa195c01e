/**
 * The first visit: from the link that `npm run demo -- --open` opens to a message that is sent and answered. A person who has read nothing finds
 * each step by a word that stands on the screen.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { packageRoot } from '../../lib/package-root.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import type { Cleanup } from '../support/cleanup.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'

const ACTIONS_MAX = 10
/** A busy machine starts the stores and the gateway of the demo late. */
const STARTED_WITHIN_MS = 180_000

interface Demo {
  /** The address that the demo has opened in the browser. */
  readonly link: string
  /** A new link: each signs in once. */
  anotherLink(): Promise<string>
}

describe('the first visit', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let browser: TestBrowser
  let demo: Demo
  before(async () => {
    ;[demo, browser] = await Promise.all([openDemo(cleanup), startBrowser(cleanup)])
  })

  it(`takes at most ${ACTIONS_MAX} actions to an answered message on a desk`, async (t) => {
    const { page } = await browser.session(t, new URL(demo.link).origin)
    await page.setViewportSize({ width: 1_280, height: 800 })
    const visit = startVisit(page)
    await page.goto(demo.link)
    await visit.press('Instances')
    await visit.press('ana')
    await visit.press('Inbox')
    await visit.press('Ben')
    await visit.write('Write a message', 'Are you there?\n')
    const phones = page.getByRole('complementary', { name: 'The two phones' })
    const ben = phones.getByRole('region', { name: /Ben/ })
    await ben.getByText('Are you there?').waitFor()
    await visit.write('Ben writes to Ana', 'Yes, I am.')
    await visit.press('Send', ben)
    await page.getByRole('log').getByText('Yes, I am.').waitFor()
    t.diagnostic(`${visit.actions()} actions`)
    assert.ok(visit.actions() <= ACTIONS_MAX, `${visit.actions()} actions`)
  })

  it(`takes at most ${ACTIONS_MAX} actions where the phones have no room beside the page`, async (t) => {
    const { page } = await browser.session(t, new URL(demo.link).origin)
    await page.setViewportSize({ width: 1_024, height: 768 })
    const visit = startVisit(page)
    await page.goto(await demo.anotherLink())
    await visit.press('Instances')
    await visit.press('ben')
    await visit.press('Inbox')
    await visit.press('Ana')
    await visit.write('Write a message', 'Is it Monday?\n')
    await visit.press('Phones')
    const phones = page.getByRole('complementary', { name: 'The two phones' })
    const ana = phones.getByRole('region', { name: /Ana/ })
    await ana.getByText('Is it Monday?').waitFor()
    await visit.write('Ana writes to Ben', 'It is.')
    await visit.press('Send', ana)
    await ana.getByText('It is.').waitFor()
    await page.getByRole('log').getByText('It is.').waitFor()
    t.diagnostic(`${visit.actions()} actions`)
    assert.ok(visit.actions() <= ACTIONS_MAX, `${visit.actions()} actions`)
  })
})

interface Visit {
  /** Presses what has this word on it, in the window and not below it. */
  press(word: string, within?: Locator): Promise<void>
  /** Writes into the field that has this word beside it, or in it. */
  write(word: string, text: string): Promise<void>
  actions(): number
}

function startVisit(page: Page): Visit {
  let actions = 0
  /** Words that only screen readers get do not count. */
  const onScreen = async (target: Locator, word: string) => {
    const isSeen = async () => {
      const box = await target.boundingBox()
      return box !== null && box.width > 1 && box.y >= 0 && box.y < (page.viewportSize()?.height ?? 0)
    }
    await eventually(isSeen).catch(() => assert.fail(`“${word}” is not in the window`))
  }
  return {
    actions: () => actions,
    async press(word, within) {
      actions += 1
      const target = (within ?? page.locator('body')).getByText(word, { exact: true }).filter({ visible: true }).first()
      await onScreen(target, word)
      await target.click()
    },
    async write(word, text) {
      actions += 1
      const field = page.getByRole('textbox', { name: word }).or(page.getByPlaceholder(word)).first()
      await onScreen(field, word)
      const label = page.locator('label', { hasText: word }).filter({ visible: true })
      if ((await field.getAttribute('placeholder')) !== word) await onScreen(label.first(), word)
      await field.click()
      await page.keyboard.type(text)
    },
  }
}

/** Runs the demo as a person does, with a program in place of the one that opens addresses on a desktop. */
async function openDemo(t: Cleanup): Promise<Demo> {
  const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-visit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const opened = path.join(folder, 'opened')
  const opener = path.join(folder, 'xdg-open')
  writeFileSync(opener, `#!/bin/sh\necho "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`)
  chmodSync(opener, 0o755)
  const demo = spawn(process.execPath, [path.join(packageRoot, 'dist', 'demo.js'), '--open'], {
    env: { ...process.env, PORT: '0', DISPLAY: ':0', PATH: `${folder}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const closed = once(demo, 'close')
  t.after(async () => {
    demo.kill('SIGINT')
    await closed
  })
  await eventually(() => existsSync(opened) || demo.exitCode !== null, Boolean, STARTED_WITHIN_MS)
  assert.equal(demo.exitCode, null, output)
  const link = readFileSync(opened, 'utf8').trim()
  const [, adminToken = ''] = /Administrator: admintoken: (\w+)/.exec(output) ?? []
  return {
    link,
    async anotherLink() {
      const { origin } = new URL(link)
      const headers = { admintoken: adminToken, 'content-type': 'application/json' }
      const answer = await fetch(`${origin}/pass/code`, { method: 'POST', headers, body: '{}' })
      const { code } = (await answer.json()) as { readonly code: string }
      return `${origin}/dashboard/#welcome=${code}`
    },
  }
}
