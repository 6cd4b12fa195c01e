/** Journey of a pairing that takes its time: codes that run out, the end of the wait, and a pairing by the keyboard alone. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { assertFocused, tabTo } from '../support/keyboard.js'
import { startWorld, type World } from '../support/world.js'

const PHONE = '5511999990001'
const CODE_MS = 3_000
/** Two codes run out before the pairing ends, one at least on a machine that stands still for seconds. */
const WINDOW_MS = 10_000

interface Look {
  readonly code: string
  readonly sinceMs: number
  readonly lastMs: number
}

interface Seen {
  readonly looks: readonly Look[]
  /** Looks at the page without a code between two codes. */
  readonly gaps: number
  readonly seconds: readonly number[]
}

describe('a pairing that takes its time', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  before(async () => {
    const env = { QR_CODE_MS: String(CODE_MS), QR_WINDOW_MS: String(WINDOW_MS) }
    ;[world, browser] = await Promise.all([startWorld(cleanup, env), startBrowser(cleanup)])
    await world.phone(PHONE, 'Shop')
  })

  it('shows each successor before the code is dead, ends with another try, and pairs by a code with the keyboard alone', async (t) => {
    const made = await world.instance('Shop')
    const { page } = await browser.session(t, world.gateway.url)
    await page.goto(`${world.gateway.url}/dashboard/instances/${made.id}`)
    const kind = page.getByLabel('the token or a key of an instance')
    await tabTo(page, page.getByLabel('the administrator’s token'))
    await page.keyboard.press('ArrowDown')
    assert.equal(await kind.isChecked(), true)
    await tabTo(page, page.getByLabel('Token', { exact: true }))
    await page.keyboard.insertText(made.token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connection', level: 1 }).waitFor()
    await page.evaluate(WATCH)
    await tabTo(page, page.getByRole('button', { name: 'Show the QR code' }))
    await page.keyboard.press('Enter')
    await page.getByAltText('QR code for the phone').waitFor()
    await assertFocused(page)

    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.getByText('The pairing ended before a phone was linked.').waitFor()
    assert.equal(await page.getByAltText('QR code for the phone').count(), 0)
    const { looks, gaps, seconds } = await page.evaluate<Seen>('watched()')
    t.diagnostic(`codes shown for ${looks.map(({ sinceMs, lastMs }) => Math.round(lastMs - sinceMs)).join(', ')} ms`)
    assert.ok(looks.length >= 2, 'a code ran out, and another one took its place')
    assert.equal(new Set(looks.map(({ code }) => code)).size, looks.length, 'no code comes again')
    assert.equal(gaps, 0, 'no moment without a code between two of them')
    assert.ok(seconds.length > 0 && Math.min(...seconds) >= 0, String(seconds))
    assert.ok(Math.max(...seconds) <= CODE_MS / 1_000, String(seconds))

    await assertFocused(page)
    await tabTo(page, again)
    await page.keyboard.press('Enter')
    await page.getByAltText('QR code for the phone').waitFor()
    assert.ok((await page.evaluate<Seen>('watched()')).looks.length > looks.length)

    await tabTo(page, page.getByRole('tab', { name: 'QR code' }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Number of the phone, with country code'))
    await page.keyboard.insertText(`+${PHONE}`)
    await page.keyboard.press('Enter')
    const spelled = page.getByRole('tabpanel').getByText(/^Code: (\w ){7}\w$/)
    await spelled.waitFor({ state: 'attached' })
    const letters = ((await spelled.textContent()) ?? '').replace('Code: ', '')
    const code = letters.replaceAll(' ', '')
    const tree = await page.getByRole('tabpanel').ariaSnapshot()
    assert.match(tree, new RegExp(`Code: ${letters}`), 'a screen reader reads letter by letter')
    assert.doesNotMatch(tree, new RegExp(`${code.slice(0, 4)}-?${code.slice(4)}`), 'and not the groups again')
    await world.network('POST', `/phones/${PHONE}/code`, { code })
    await page.getByText(`Connected as Shop, +${PHONE}`).waitFor()
    await assertFocused(page)
  })
})

/** Notes each change of the code and of the countdown. A reloaded page would have forgotten it. */
const WATCH = `{
  const looks = []
  const seconds = new Set()
  let gaps = 0
  const look = () => {
    const at = performance.now()
    const code = document.querySelector('img[alt="QR code for the phone"]')?.getAttribute('src') ?? ''
    const last = looks.at(-1)
    if (code !== '' && last?.code === code) last.lastMs = at
    else if (code !== '') {
      if (last !== undefined && !last.hasGap) last.lastMs = at
      if (last?.hasGap && !last.isEnd) gaps += 1
      looks.push({ code, sinceMs: at, lastMs: at })
    } else if (last !== undefined) {
      last.hasGap = true
      last.isEnd = document.body.innerText.includes('The pairing ended')
    }
    const left = /New code in (-?\\d+) second/.exec(document.querySelector('main').innerText)
    if (left !== null) seconds.add(Number(left[1]))
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
  setInterval(look, 50)
  window.watched = () => ({ looks, gaps, seconds: [...seconds] })
}`
