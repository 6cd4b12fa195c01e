/** Walks through a page by the keyboard alone, as people do who cannot use a mouse. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.js'

/** Stops on a page before the target counts as out of reach. */
const STOPS_MAX = 150

/** Presses Tab until the element has the focus. Fails if a stop on the way has no visible mark, or the element cannot be reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
    const unmarked = await page.evaluate<string>(UNMARKED)
    assert.equal(unmarked, '', 'the focus is visible')
  }
  assert.fail(`${String(target)} cannot be reached by Tab`)
}

/** Reaches the element by Tab, and presses Enter on it. */
export async function pressAt(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Reaches the field by Tab, and types over what it has. */
export async function typeAt(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

/** Presses the key, such as an arrow in a menu, until the element has the focus. */
export async function moveTo(page: Page, target: Locator, key: string): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press(key)
  }
  assert.fail(`${String(target)} cannot be reached by ${key}`)
}

/** Waits until some element of the page has the focus: it moves after a dialog has closed. */
export async function keepsFocus(page: Page, after: string): Promise<void> {
  const focused = () => page.evaluate<string>('document.activeElement?.tagName ?? "BODY"')
  await eventually(focused, (name) => name !== 'BODY').catch(() => assert.fail(`the focus is lost after ${after}`))
}

/** Fails if no element of the page has the focus: a person with a keyboard would begin at the top again. */
export async function assertFocused(page: Page): Promise<void> {
  assert.notEqual(await page.evaluate('document.activeElement?.tagName ?? "BODY"'), 'BODY', 'the focus is lost')
}

/** Names the focused element if nothing shows its focus; the end of the page, where the browser itself has the focus, is none. */
const UNMARKED = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return ''
  const shows = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
  return shows(element) || (element.parentElement !== null && shows(element.parentElement)) ? '' : element.outerHTML.slice(0, 200)
})()`
